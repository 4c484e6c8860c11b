// What CUDA declares without an #include, as far as CUDA C++ can say it: the simulator reads this
// before every unit. Code from here belongs to the line that calls it.

#define FN __device__ __forceinline__

typedef long clock_t;

// Classification.
FN bool isnan(float x) { return x != x; }
FN bool isnan(double x) { return x != x; }
FN bool isinf(float x) { return fabsf(x) == INFINITY; }
FN bool isinf(double x) { return fabs(x) == INFINITY; }
FN bool isfinite(float x) { return fabsf(x) < INFINITY; }
FN bool isfinite(double x) { return fabs(x) < INFINITY; }
FN bool signbit(float x) { return __float_as_int(x) < 0; }
FN bool signbit(double x) { return __double_as_longlong(x) < 0; }

// Parts of a number.
FN float ldexpf(float x, int n) { return __ldexpf(x, (float)n); }
FN float ldexp(float x, int n) { return __ldexpf(x, (float)n); }
FN double ldexp(double x, int n) { return __ldexp(x, (double)n); }
FN float scalbnf(float x, int n) { return __ldexpf(x, (float)n); }
FN float scalbn(float x, int n) { return __ldexpf(x, (float)n); }
FN double scalbn(double x, int n) { return __ldexp(x, (double)n); }
FN float frexpf(float x, int* e) { *e = (int)__frexp_exponentf(x); return __frexp_fractionf(x); }
FN float frexp(float x, int* e) { return frexpf(x, e); }
FN double frexp(double x, int* e) { *e = (int)__frexp_exponent(x); return __frexp_fraction(x); }
FN float modff(float x, float* whole) {
    const float t = truncf(x);
    *whole = t;
    return copysignf(isinf(x) ? 0.0f : x - t, x);
}
FN float modf(float x, float* whole) { return modff(x, whole); }
FN double modf(double x, double* whole) {
    const double t = trunc(x);
    *whole = t;
    return copysign(isinf(x) ? 0.0 : x - t, x);
}
FN int ilogbf(float x) { return isfinite(x) ? (int)logbf(x) : isnan(x) ? INT_MIN : INT_MAX; }
FN int ilogb(float x) { return ilogbf(x); }
FN int ilogb(double x) { return x == 0.0 || isnan(x) ? INT_MIN : isinf(x) ? INT_MAX : (int)logb(x); }

// Two results.
FN void sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
FN void sincos(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
FN void sincos(double x, double* s, double* c) { *s = sin(x); *c = cos(x); }
FN void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
FN void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
FN void __sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }

// Rounding to integers.
FN long lroundf(float x) { return (long)roundf(x); }
FN long lround(float x) { return (long)roundf(x); }
FN long lround(double x) { return (long)round(x); }
FN long long llroundf(float x) { return (long long)roundf(x); }
FN long long llround(float x) { return (long long)roundf(x); }
FN long long llround(double x) { return (long long)round(x); }
FN long lrintf(float x) { return (long)rintf(x); }
FN long lrint(float x) { return (long)rintf(x); }
FN long lrint(double x) { return (long)rint(x); }
FN long long llrintf(float x) { return (long long)rintf(x); }
FN long long llrint(float x) { return (long long)rintf(x); }
FN long long llrint(double x) { return (long long)rint(x); }

FN float nextafterf(float x, float y) {
    if (isnan(x) || isnan(y)) return x + y;
    if (x == y) return y;
    if (x == 0.0f) return copysignf(__int_as_float(1), y);
    return __int_as_float(__float_as_int(x) + ((x < y) == (x > 0.0f) ? 1 : -1));
}
FN double nextafter(double x, double y) {
    if (isnan(x) || isnan(y)) return x + y;
    if (x == y) return y;
    if (x == 0.0) return copysign(__longlong_as_double(1), y);
    return __longlong_as_double(__double_as_longlong(x) + ((x < y) == (x > 0.0) ? 1 : -1));
}

// Lengths.
FN float norm3df(float a, float b, float c) { return hypotf(hypotf(a, b), c); }
FN double norm3d(double a, double b, double c) { return hypot(hypot(a, b), c); }
FN float norm4df(float a, float b, float c, float d) { return hypotf(hypotf(a, b), hypotf(c, d)); }
FN double norm4d(double a, double b, double c, double d) { return hypot(hypot(a, b), hypot(c, d)); }
FN float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
FN double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }

// The quick forms, here as good as the slow ones.
FN float __expf(float x) { return expf(x); }
FN float __exp10f(float x) { return exp10f(x); }
FN float __logf(float x) { return logf(x); }
FN float __log2f(float x) { return log2f(x); }
FN float __log10f(float x) { return log10f(x); }
FN float __sinf(float x) { return sinf(x); }
FN float __cosf(float x) { return cosf(x); }
FN float __tanf(float x) { return tanf(x); }
FN float __tanhf(float x) { return tanhf(x); }
FN float __powf(float x, float y) { return powf(x, y); }
FN float __fdividef(float x, float y) { return __fdiv_rn(x, y); }
FN float fdividef(float x, float y) { return __fdiv_rn(x, y); }
FN double fdivide(double x, double y) { return __ddiv_rn(x, y); }
FN float __frcp_rn(float x) { return __fdiv_rn(1.0f, x); }
FN double __drcp_rn(double x) { return __ddiv_rn(1.0, x); }
FN float __frsqrt_rn(float x) { return rsqrtf(x); }
FN float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

// Conversions with their rounding in the name.
FN int __float2int_rz(float x) { return (int)x; }
FN int __float2int_rn(float x) { return (int)rintf(x); }
FN int __float2int_rd(float x) { return (int)floorf(x); }
FN int __float2int_ru(float x) { return (int)ceilf(x); }
FN unsigned int __float2uint_rz(float x) { return (unsigned int)x; }
FN unsigned int __float2uint_rn(float x) { return (unsigned int)rintf(x); }
FN unsigned int __float2uint_rd(float x) { return (unsigned int)floorf(x); }
FN unsigned int __float2uint_ru(float x) { return (unsigned int)ceilf(x); }
FN long long __float2ll_rz(float x) { return (long long)x; }
FN long long __float2ll_rn(float x) { return (long long)rintf(x); }
FN unsigned long long __float2ull_rz(float x) { return (unsigned long long)x; }
FN unsigned long long __float2ull_rn(float x) { return (unsigned long long)rintf(x); }
FN int __double2int_rz(double x) { return (int)x; }
FN int __double2int_rn(double x) { return (int)rint(x); }
FN int __double2int_rd(double x) { return (int)floor(x); }
FN int __double2int_ru(double x) { return (int)ceil(x); }
FN unsigned int __double2uint_rz(double x) { return (unsigned int)x; }
FN unsigned int __double2uint_rn(double x) { return (unsigned int)rint(x); }
FN long long __double2ll_rz(double x) { return (long long)x; }
FN long long __double2ll_rn(double x) { return (long long)rint(x); }
FN unsigned long long __double2ull_rz(double x) { return (unsigned long long)x; }
FN unsigned long long __double2ull_rn(double x) { return (unsigned long long)rint(x); }
FN float __double2float_rn(double x) { return (float)x; }
FN float __int2float_rn(int x) { return (float)x; }
FN float __uint2float_rn(unsigned int x) { return (float)x; }
FN float __ll2float_rn(long long x) { return (float)x; }
FN float __ull2float_rn(unsigned long long x) { return (float)x; }
FN double __int2double_rn(int x) { return (double)x; }
FN double __uint2double_rn(unsigned int x) { return (double)x; }
FN double __ll2double_rn(long long x) { return (double)x; }
FN double __ull2double_rn(unsigned long long x) { return (double)x; }
FN int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
FN int __double2loint(double x) { return (int)__double_as_longlong(x); }
FN double __hiloint2double(int hi, int lo) {
    return __longlong_as_double((long long)(((unsigned long long)(unsigned int)hi << 32) | (unsigned int)lo));
}

// Integers.
FN int __mul24(int x, int y) { return ((x << 8) >> 8) * ((y << 8) >> 8); }
FN unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffffu) * (y & 0xffffffu); }
FN int __hadd(int x, int y) { return (int)(((long long)x + y) >> 1); }
FN int __rhadd(int x, int y) { return (int)(((long long)x + y + 1) >> 1); }
FN unsigned int __uhadd(unsigned int x, unsigned int y) { return (unsigned int)(((unsigned long long)x + y) >> 1); }
FN unsigned int __urhadd(unsigned int x, unsigned int y) { return (unsigned int)(((unsigned long long)x + y + 1) >> 1); }
FN unsigned int __sad(int x, int y, unsigned int z) {
    return (unsigned int)(x > y ? (long long)x - y : (long long)y - x) + z;
}
FN unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x > y ? x - y : y - x) + z; }
FN unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int n) {
    return (unsigned int)((((unsigned long long)hi << 32 | lo) << (n & 31)) >> 32);
}
FN unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int n) {
    return (unsigned int)(((unsigned long long)hi << 32 | lo) >> (n & 31));
}
FN unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int n) {
    return (unsigned int)((((unsigned long long)hi << 32 | lo) << min(n, 32u)) >> 32);
}
FN unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int n) {
    return (unsigned int)(((unsigned long long)hi << 32 | lo) >> min(n, 32u));
}
FN unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
    const unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned int pick = s >> (4 * i);
        unsigned int byte = (unsigned int)(both >> (8 * (pick & 7))) & 0xffu;
        if (pick & 8) byte = byte & 0x80u ? 0xffu : 0u;
        result |= byte << (8 * i);
    }
    return result;
}
FN int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 32; i += 8) c += (int)(signed char)(a >> i) * (int)(signed char)(b >> i);
    return c;
}
FN unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
    for (int i = 0; i < 32; i += 8) c += ((a >> i) & 0xffu) * ((b >> i) & 0xffu);
    return c;
}
FN unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    int left = offset;
    if (left == 0) return mask >> base & 1u ? base : 0xffffffffu;
    for (int at = (int)base; at >= 0 && at < 32; at += offset > 0 ? 1 : -1)
        if (mask >> at & 1u) {
            left += offset > 0 ? -1 : 1;
            if (left == 0) return (unsigned int)at;
        }
    return 0xffffffffu;
}

#undef FN
