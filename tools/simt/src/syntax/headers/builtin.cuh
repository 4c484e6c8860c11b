// What CUDA declares without an #include and CUDA C++ can express: the simulator reads this before
// every unit. Code from here is attributed to the line that calls it.

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
FN float scalblnf(float x, long n) { return __ldexpf(x, (float)n); }
FN float scalbln(float x, long n) { return __ldexpf(x, (float)n); }
FN double scalbln(double x, long n) { return __ldexp(x, (double)n); }
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
FN void sincospi(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
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
FN float nextafter(float x, float y) { return nextafterf(x, y); }
FN double nextafter(double x, double y) {
    if (isnan(x) || isnan(y)) return x + y;
    if (x == y) return y;
    if (x == 0.0) return copysign(__longlong_as_double(1), y);
    return __longlong_as_double(__double_as_longlong(x) + ((x < y) == (x > 0.0) ? 1 : -1));
}

// Functions with a whole operand, with two results, or over an array.
FN double jn(int n, double x) { return __jn((double)n, x); }
FN double yn(int n, double x) { return __yn((double)n, x); }
FN float jnf(int n, float x) { return __jnf((float)n, x); }
FN float ynf(int n, float x) { return __ynf((float)n, x); }
FN double remquo(double x, double y, int* quotient) { *quotient = (int)__quotient_bits(x, y); return remainder(x, y); }
FN float remquof(float x, float y, int* quotient) { *quotient = (int)__quotient_bitsf(x, y); return remainderf(x, y); }
FN float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }

// For whole numbers, and for two types, <cmath> has templates: these count as `double`.
#define WHOLE(returns, name) template <typename T> requires(__is_integral(T)) FN returns name(T x) { return name((double)x); }
#define WHOLE2(name, second) template <typename T> requires(__is_integral(T)) FN double name(T x, second y) { return name((double)x, y); }
WHOLE(bool, isnan)
WHOLE(bool, isinf)
WHOLE(bool, isfinite)
WHOLE(bool, signbit)
WHOLE(int, ilogb)
WHOLE(long, lround)
WHOLE(long, lrint)
WHOLE(long long, llround)
WHOLE(long long, llrint)
WHOLE2(ldexp, int)
WHOLE2(scalbn, int)
WHOLE2(scalbln, long)
WHOLE2(frexp, int*)
#undef WHOLE
#undef WHOLE2
#define MIXED (__is_arithmetic(T) && __is_arithmetic(U) && (__is_integral(T) || !__is_same(T, U)))
template <typename T, typename U> requires MIXED FN double nextafter(T x, U y) { return nextafter((double)x, (double)y); }
template <typename T, typename U> requires MIXED FN double remquo(T x, U y, int* quotient) { return remquo((double)x, (double)y, quotient); }
#undef MIXED

FN double norm(int n, const double* p) {
    double length = 0.0;
    for (int i = 0; i < n; ++i) length = hypot(length, p[i]);
    return length;
}
FN float normf(int n, const float* p) {
    double length = 0.0;
    for (int i = 0; i < n; ++i) length = hypot(length, (double)p[i]);
    return (float)length;
}
FN double rnorm(int n, const double* p) { return 1.0 / norm(n, p); }
FN float rnormf(int n, const float* p) {
    double length = 0.0;
    for (int i = 0; i < n; ++i) length = hypot(length, (double)p[i]);
    return (float)(1.0 / length);
}

// Rounding in a direction.
#define DIRECTED(way) \
    FN float __fadd_##way(float x, float y) { return __add_##way##f(x, y); } \
    FN float __fsub_##way(float x, float y) { return __sub_##way##f(x, y); } \
    FN float __fmul_##way(float x, float y) { return __mul_##way##f(x, y); } \
    FN float __fdiv_##way(float x, float y) { return __div_##way##f(x, y); } \
    FN float __frcp_##way(float x) { return __div_##way##f(1.0f, x); } \
    FN float __fsqrt_##way(float x) { return __sqrt_##way##f(x); } \
    FN float __fmaf_##way(float x, float y, float z) { return __fused_##way##f(x, y, z); } \
    FN float __fmaf_ieee_##way(float x, float y, float z) { return __fused_##way##f(x, y, z); } \
    FN double __dadd_##way(double x, double y) { return __add_##way(x, y); } \
    FN double __dsub_##way(double x, double y) { return __sub_##way(x, y); } \
    FN double __dmul_##way(double x, double y) { return __mul_##way(x, y); } \
    FN double __ddiv_##way(double x, double y) { return __div_##way(x, y); } \
    FN double __drcp_##way(double x) { return __div_##way(1.0, x); } \
    FN double __dsqrt_##way(double x) { return __sqrt_##way(x); } \
    FN double __fma_##way(double x, double y, double z) { return __fused_##way(x, y, z); } \
    FN float __double2float_##way(double x) { return (float)__float_##way(x); } \
    FN float __int2float_##way(int x) { return (float)__float_##way((double)x); } \
    FN float __uint2float_##way(unsigned int x) { return (float)__float_##way((double)x); } \
    FN double __ll2double_##way(long long x) { return __fused_##way((double)(x >> 32), 4294967296.0, (double)(x & 0xffffffffLL)); } \
    FN double __ull2double_##way(unsigned long long x) { return __fused_##way((double)(x >> 32), 4294967296.0, (double)(x & 0xffffffffULL)); } \
    FN float __ll2float_##way(long long x) { return (float)__float_##way(__ll2double_##way(x)); } \
    FN float __ull2float_##way(unsigned long long x) { return (float)__float_##way(__ull2double_##way(x)); }
DIRECTED(rd)
DIRECTED(ru)
DIRECTED(rz)
#undef DIRECTED
FN float __fmaf_ieee_rn(float x, float y, float z) { return __fmaf_rn(x, y, z); }

// The fast approximations, which are as precise as the slow functions here.
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
#define WHOLE(from, from_type, to, to_type) \
    FN to_type __##from##2##to##_rz(from_type x) { return (to_type)x; } \
    FN to_type __##from##2##to##_rn(from_type x) { return (to_type)rint(x); } \
    FN to_type __##from##2##to##_rd(from_type x) { return (to_type)floor(x); } \
    FN to_type __##from##2##to##_ru(from_type x) { return (to_type)ceil(x); }
WHOLE(float, float, int, int)
WHOLE(float, float, uint, unsigned int)
WHOLE(float, float, ll, long long)
WHOLE(float, float, ull, unsigned long long)
WHOLE(double, double, int, int)
WHOLE(double, double, uint, unsigned int)
WHOLE(double, double, ll, long long)
WHOLE(double, double, ull, unsigned long long)
#undef WHOLE
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
FN unsigned long __cvta_generic_to_shared(const void* p) {
    unsigned long address;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(p));
    return address;
}
FN void* __cvta_shared_to_generic(unsigned long address) {
    void* p;
    asm("cvta.shared.u64 %0, %1;" : "=l"(p) : "l"(address));
    return p;
}
FN unsigned long __cvta_generic_to_global(const void* p) { return (unsigned long)p; }
FN unsigned long __cvta_generic_to_local(const void* p) { return (unsigned long)p; }
FN unsigned long __cvta_generic_to_constant(const void* p) { return (unsigned long)p; }
FN void* __cvta_global_to_generic(unsigned long address) { return (void*)address; }
FN void* __cvta_local_to_generic(unsigned long address) { return (void*)address; }
FN void* __cvta_constant_to_generic(unsigned long address) { return (void*)address; }
#define SPACE(name, space) \
    FN unsigned int name(const void* p) { \
        unsigned int is; \
        asm("{ .reg .pred q; isspacep." space " q, %1; selp.u32 %0, 1, 0, q; }" : "=r"(is) : "l"(p)); \
        return is; \
    }
SPACE(__isShared, "shared")
SPACE(__isGlobal, "global")
SPACE(__isLocal, "local")
#undef SPACE
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
#define DOT(T, T2, T4, half, byte) \
    FN T __dp4a(T a, T b, T c) { \
        for (int i = 0; i < 32; i += 8) c += (T)(byte)(a >> i) * (T)(byte)(b >> i); \
        return c; \
    } \
    FN T __dp2a_lo(T a, T b, T c) { return c + (T)(half)a * (T)(byte)b + (T)(half)(a >> 16) * (T)(byte)(b >> 8); } \
    FN T __dp2a_hi(T a, T b, T c) { return __dp2a_lo(a, b >> 16, c); } \
    FN T __dp4a(T4 a, T4 b, T c) { return c + (T)a.x * (T)b.x + (T)a.y * (T)b.y + (T)a.z * (T)b.z + (T)a.w * (T)b.w; } \
    FN T __dp2a_lo(T2 a, T4 b, T c) { return c + (T)a.x * (T)b.x + (T)a.y * (T)b.y; } \
    FN T __dp2a_hi(T2 a, T4 b, T c) { return c + (T)a.x * (T)b.z + (T)a.y * (T)b.w; }
DOT(int, short2, char4, short, signed char)
DOT(unsigned int, ushort2, uchar4, unsigned short, unsigned char)
#undef DOT
FN unsigned short __nv_bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
FN unsigned int __nv_bswap32(unsigned int x) { return __byte_perm(x, 0u, 0x0123u); }
FN unsigned long long __nv_bswap64(unsigned long long x) {
    return (unsigned long long)__nv_bswap32((unsigned int)x) << 32 | __nv_bswap32((unsigned int)(x >> 32));
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

// The C library's functions that kernels have. (The compiler's own code moves more at a time.)
FN void* memcpy(void* to, const void* from, unsigned long n) {
    for (unsigned long i = 0; i < n; ++i) ((unsigned char*)to)[i] = ((const unsigned char*)from)[i];
    return to;
}
FN void* memset(void* to, int value, unsigned long n) {
    for (unsigned long i = 0; i < n; ++i) ((unsigned char*)to)[i] = (unsigned char)value;
    return to;
}

// `new T[n]` and `delete[]` of classes: the count is stored before the elements if T has a destructor.
template <typename T> FN T* __made(T*, unsigned long n) {
    const unsigned long front = __is_trivially_destructible(T) ? 0 : 16;
    char* room = (char*)malloc(n * sizeof(T) + front);
    if (!room) return nullptr;
    if (front) *(unsigned long*)room = n;
    T* all = (T*)(room + front);
    for (unsigned long i = 0; i < n; ++i) new (all + i) T();
    return all;
}
template <typename T> FN void __unmade(T* all) {
    if (!all) return;
    char* room = (char*)all - 16;
    for (unsigned long n = *(unsigned long*)room; n > 0; --n) all[n - 1].~T();
    free(room);
}

#undef FN

// `T S::*`: where the member is in the object. `R (S::*)(A...)`: what calls the method.
template <typename S, typename T> struct __member_pointer {
    long __at;
    __host__ __device__ constexpr __member_pointer(decltype(nullptr) = nullptr) : __at(-1) {}
    template <typename U> requires(__is_same(const U, T))
    __host__ __device__ constexpr __member_pointer(const __member_pointer<S, U>& o) : __at(o.__at) {}
    __host__ __device__ constexpr explicit operator bool() const { return __at >= 0; }
    __host__ __device__ constexpr bool operator==(const __member_pointer& o) const { return __at == o.__at; }
    __host__ __device__ constexpr bool operator!=(const __member_pointer& o) const { return __at != o.__at; }
    __host__ __device__ T& operator()(S& o) const { return *(T*)((char*)&o + __at); }
    __host__ __device__ const T& operator()(const S& o) const { return *(const T*)((const char*)&o + __at); }
    __host__ __device__ T& operator()(S* o) const { return *(T*)((char*)o + __at); }
    __host__ __device__ const T& operator()(const S* o) const { return *(const T*)((const char*)o + __at); }
};
template <typename S, typename F> struct __method_pointer;
template <typename S, typename R, typename... A> struct __bound_method {
    S& __object;
    R (*__call)(S&, A...);
    __host__ __device__ R operator()(A... a) const { return __call(__object, (A&&)a...); }
};
template <typename S, typename R, typename... A> struct __method_pointer<S, R(A...)> {
    R (*__call)(S&, A...);
    __host__ __device__ __method_pointer(decltype(nullptr) = nullptr) : __call(nullptr) {}
    __host__ __device__ explicit __method_pointer(R (*call)(S&, A...)) : __call(call) {}
    __host__ __device__ explicit operator bool() const { return __call != nullptr; }
    __host__ __device__ bool operator==(const __method_pointer& o) const { return __call == o.__call; }
    __host__ __device__ bool operator!=(const __method_pointer& o) const { return __call != o.__call; }
    __host__ __device__ R operator()(S& o, A... a) const { return __call(o, (A&&)a...); }
    __host__ __device__ R operator()(S* o, A... a) const { return __call(*o, (A&&)a...); }
};
template <typename S> struct __itself {
    typedef S type;
};
template <typename S, typename T>
__host__ __device__ inline T& __through(typename __itself<S>::type& o, __member_pointer<S, T> p) { return p(o); }
template <typename S, typename T>
__host__ __device__ inline const T& __through(const typename __itself<S>::type& o, __member_pointer<S, T> p) { return p(o); }
template <typename S, typename R, typename... A>
__host__ __device__ inline __bound_method<S, R, A...> __through(typename __itself<S>::type& o, __method_pointer<S, R(A...)> p) {
    return __bound_method<S, R, A...>{o, p.__call};
}

// What a defaulted `==` compares a member by.
template <typename T> __host__ __device__ constexpr bool __same_value(const T& a, const T& b) { return a == b; }
template <typename T, unsigned long N> __host__ __device__ constexpr bool __same_value(const T (&a)[N], const T (&b)[N]) {
    for (unsigned long i = 0; i < N; ++i)
        if (!__same_value(a[i], b[i])) return false;
    return true;
}
