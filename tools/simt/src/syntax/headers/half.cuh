// The functions that both headers of 16-bit floats have. H is the type and H2 a pair of it.

FN H __hneg(const H a) { return -a; }
FN H __habs(const H a) { return __builtin_half_abs(a); }
FN H __hadd(const H a, const H b) { return a + b; }
FN H __hsub(const H a, const H b) { return a - b; }
FN H __hmul(const H a, const H b) { return a * b; }
FN H __hdiv(const H a, const H b) { return a / b; }
FN H __hadd_rn(const H a, const H b) { return __builtin_half_add(a, b); }
FN H __hsub_rn(const H a, const H b) { return __builtin_half_sub(a, b); }
FN H __hmul_rn(const H a, const H b) { return __builtin_half_mul(a, b); }
FN H __hfma(const H a, const H b, const H c) { return __builtin_half_fma(a, b, c); }
FN H __hmin(const H a, const H b) { return __builtin_half_min(a, b); }
FN H __hmax(const H a, const H b) { return __builtin_half_max(a, b); }
FN bool __heq(const H a, const H b) { return a == b; }
FN bool __hne(const H a, const H b) { return a < b || a > b; }
FN bool __hlt(const H a, const H b) { return a < b; }
FN bool __hle(const H a, const H b) { return a <= b; }
FN bool __hgt(const H a, const H b) { return a > b; }
FN bool __hge(const H a, const H b) { return a >= b; }
FN bool __hneu(const H a, const H b) { return a != b; }
FN bool __hisnan(const H a) { return a != a; }

FN bool __hequ(const H a, const H b) { return !(a < b || a > b); }
FN bool __hltu(const H a, const H b) { return !(a >= b); }
FN bool __hleu(const H a, const H b) { return !(a > b); }
FN bool __hgtu(const H a, const H b) { return !(a <= b); }
FN bool __hgeu(const H a, const H b) { return !(a < b); }
FN H __hmin_nan(const H a, const H b) { return a != a || b != b ? H(NAN) : __hmin(a, b); }
FN H __hmax_nan(const H a, const H b) { return a != a || b != b ? H(NAN) : __hmax(a, b); }
FN H __hfma_relu(const H a, const H b, const H c) { return __hmax_nan(__builtin_half_fma(a, b, c), H(0.0f)); }
FN H __within_one(const H a) { return __builtin_half_min(__builtin_half_max(a, H(0.0f)), H(1.0f)); }
FN H __hadd_sat(const H a, const H b) { return __within_one(a + b); }
FN H __hsub_sat(const H a, const H b) { return __within_one(a - b); }
FN H __hmul_sat(const H a, const H b) { return __within_one(a * b); }
FN H __hfma_sat(const H a, const H b, const H c) { return __within_one(__hfma(a, b, c)); }

FN H2 __hneg2(const H2 a) { return -a; }
FN H2 __habs2(const H2 a) { return __builtin_half_abs(a); }
FN H2 __hadd2(const H2 a, const H2 b) { return a + b; }
FN H2 __hsub2(const H2 a, const H2 b) { return a - b; }
FN H2 __hmul2(const H2 a, const H2 b) { return a * b; }
FN H2 __h2div(const H2 a, const H2 b) { return a / b; }
FN H2 __hadd2_rn(const H2 a, const H2 b) { return __builtin_half_add(a, b); }
FN H2 __hsub2_rn(const H2 a, const H2 b) { return __builtin_half_sub(a, b); }
FN H2 __hmul2_rn(const H2 a, const H2 b) { return __builtin_half_mul(a, b); }
FN H2 __hfma2(const H2 a, const H2 b, const H2 c) { return __builtin_half_fma(a, b, c); }
FN H2 __hmin2(const H2 a, const H2 b) { return __builtin_half_min(a, b); }
FN H2 __hmax2(const H2 a, const H2 b) { return __builtin_half_max(a, b); }
FN H2 __heq2(const H2 a, const H2 b) { return H2(a.x == b.x ? 1.0f : 0.0f, a.y == b.y ? 1.0f : 0.0f); }
FN H2 __hne2(const H2 a, const H2 b) { return H2(__hne(a.x, b.x) ? 1.0f : 0.0f, __hne(a.y, b.y) ? 1.0f : 0.0f); }
FN H2 __hlt2(const H2 a, const H2 b) { return H2(a.x < b.x ? 1.0f : 0.0f, a.y < b.y ? 1.0f : 0.0f); }
FN H2 __hle2(const H2 a, const H2 b) { return H2(a.x <= b.x ? 1.0f : 0.0f, a.y <= b.y ? 1.0f : 0.0f); }
FN H2 __hgt2(const H2 a, const H2 b) { return H2(a.x > b.x ? 1.0f : 0.0f, a.y > b.y ? 1.0f : 0.0f); }
FN H2 __hge2(const H2 a, const H2 b) { return H2(a.x >= b.x ? 1.0f : 0.0f, a.y >= b.y ? 1.0f : 0.0f); }
FN bool __hbeq2(const H2 a, const H2 b) { return a == b; }
FN bool __hbne2(const H2 a, const H2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
FN bool __hblt2(const H2 a, const H2 b) { return a < b; }
FN bool __hble2(const H2 a, const H2 b) { return a <= b; }
FN bool __hbgt2(const H2 a, const H2 b) { return a > b; }
FN bool __hbge2(const H2 a, const H2 b) { return a >= b; }

FN H2 __hequ2(const H2 a, const H2 b) { return H2(__hequ(a.x, b.x) ? 1.0f : 0.0f, __hequ(a.y, b.y) ? 1.0f : 0.0f); }
FN bool __hbequ2(const H2 a, const H2 b) { return __hequ(a.x, b.x) && __hequ(a.y, b.y); }
FN unsigned int __heq2_mask(const H2 a, const H2 b) { return (__heq(a.x, b.x) ? 0xffffu : 0u) | (__heq(a.y, b.y) ? 0xffff0000u : 0u); }
FN unsigned int __hequ2_mask(const H2 a, const H2 b) { return (__hequ(a.x, b.x) ? 0xffffu : 0u) | (__hequ(a.y, b.y) ? 0xffff0000u : 0u); }
FN H2 __hneu2(const H2 a, const H2 b) { return H2(a.x != b.x ? 1.0f : 0.0f, a.y != b.y ? 1.0f : 0.0f); }
FN bool __hbneu2(const H2 a, const H2 b) { return a.x != b.x && a.y != b.y; }
FN unsigned int __hne2_mask(const H2 a, const H2 b) { return (__hne(a.x, b.x) ? 0xffffu : 0u) | (__hne(a.y, b.y) ? 0xffff0000u : 0u); }
FN unsigned int __hneu2_mask(const H2 a, const H2 b) { return (__hneu(a.x, b.x) ? 0xffffu : 0u) | (__hneu(a.y, b.y) ? 0xffff0000u : 0u); }
FN H2 __hltu2(const H2 a, const H2 b) { return H2(__hltu(a.x, b.x) ? 1.0f : 0.0f, __hltu(a.y, b.y) ? 1.0f : 0.0f); }
FN bool __hbltu2(const H2 a, const H2 b) { return __hltu(a.x, b.x) && __hltu(a.y, b.y); }
FN unsigned int __hlt2_mask(const H2 a, const H2 b) { return (__hlt(a.x, b.x) ? 0xffffu : 0u) | (__hlt(a.y, b.y) ? 0xffff0000u : 0u); }
FN unsigned int __hltu2_mask(const H2 a, const H2 b) { return (__hltu(a.x, b.x) ? 0xffffu : 0u) | (__hltu(a.y, b.y) ? 0xffff0000u : 0u); }
FN H2 __hleu2(const H2 a, const H2 b) { return H2(__hleu(a.x, b.x) ? 1.0f : 0.0f, __hleu(a.y, b.y) ? 1.0f : 0.0f); }
FN bool __hbleu2(const H2 a, const H2 b) { return __hleu(a.x, b.x) && __hleu(a.y, b.y); }
FN unsigned int __hle2_mask(const H2 a, const H2 b) { return (__hle(a.x, b.x) ? 0xffffu : 0u) | (__hle(a.y, b.y) ? 0xffff0000u : 0u); }
FN unsigned int __hleu2_mask(const H2 a, const H2 b) { return (__hleu(a.x, b.x) ? 0xffffu : 0u) | (__hleu(a.y, b.y) ? 0xffff0000u : 0u); }
FN H2 __hgtu2(const H2 a, const H2 b) { return H2(__hgtu(a.x, b.x) ? 1.0f : 0.0f, __hgtu(a.y, b.y) ? 1.0f : 0.0f); }
FN bool __hbgtu2(const H2 a, const H2 b) { return __hgtu(a.x, b.x) && __hgtu(a.y, b.y); }
FN unsigned int __hgt2_mask(const H2 a, const H2 b) { return (__hgt(a.x, b.x) ? 0xffffu : 0u) | (__hgt(a.y, b.y) ? 0xffff0000u : 0u); }
FN unsigned int __hgtu2_mask(const H2 a, const H2 b) { return (__hgtu(a.x, b.x) ? 0xffffu : 0u) | (__hgtu(a.y, b.y) ? 0xffff0000u : 0u); }
FN H2 __hgeu2(const H2 a, const H2 b) { return H2(__hgeu(a.x, b.x) ? 1.0f : 0.0f, __hgeu(a.y, b.y) ? 1.0f : 0.0f); }
FN bool __hbgeu2(const H2 a, const H2 b) { return __hgeu(a.x, b.x) && __hgeu(a.y, b.y); }
FN unsigned int __hge2_mask(const H2 a, const H2 b) { return (__hge(a.x, b.x) ? 0xffffu : 0u) | (__hge(a.y, b.y) ? 0xffff0000u : 0u); }
FN unsigned int __hgeu2_mask(const H2 a, const H2 b) { return (__hgeu(a.x, b.x) ? 0xffffu : 0u) | (__hgeu(a.y, b.y) ? 0xffff0000u : 0u); }
FN H2 __hisnan2(const H2 a) { return H2(a.x != a.x ? 1.0f : 0.0f, a.y != a.y ? 1.0f : 0.0f); }
FN H2 __hmin2_nan(const H2 a, const H2 b) { return H2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)); }
FN H2 __hmax2_nan(const H2 a, const H2 b) { return H2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)); }
FN H2 __within_one2(const H2 a) { return __builtin_half_min(__builtin_half_max(a, H2(0.0f, 0.0f)), H2(1.0f, 1.0f)); }
FN H2 __hadd2_sat(const H2 a, const H2 b) { return __within_one2(a + b); }
FN H2 __hsub2_sat(const H2 a, const H2 b) { return __within_one2(a - b); }
FN H2 __hmul2_sat(const H2 a, const H2 b) { return __within_one2(a * b); }
FN H2 __hfma2_sat(const H2 a, const H2 b, const H2 c) { return __within_one2(__hfma2(a, b, c)); }
FN H2 __hfma2_relu(const H2 a, const H2 b, const H2 c) { return __hmax2_nan(__hfma2(a, b, c), H2(0.0f, 0.0f)); }
FN H2 __hcmadd(const H2 a, const H2 b, const H2 c) {
    return H2(__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}

FN H hsqrt(const H a) { return H(sqrtf(a)); }
FN H hrsqrt(const H a) { return H(rsqrtf(a)); }
FN H hrcp(const H a) { return H(1.0f / (float)a); }
FN H hexp(const H a) { return H(expf(a)); }
FN H hexp2(const H a) { return H(exp2f(a)); }
FN H hexp10(const H a) { return H(exp10f(a)); }
FN H hlog(const H a) { return H(logf(a)); }
FN H hlog2(const H a) { return H(log2f(a)); }
FN H hlog10(const H a) { return H(log10f(a)); }
FN H hsin(const H a) { return H(sinf(a)); }
FN H hcos(const H a) { return H(cosf(a)); }
FN H htanh(const H a) { return H(tanhf(a)); }
FN H hfloor(const H a) { return H(floorf(a)); }
FN H hceil(const H a) { return H(ceilf(a)); }
FN H htrunc(const H a) { return H(truncf(a)); }
FN H hrint(const H a) { return H(rintf(a)); }
FN H2 h2sqrt(const H2 a) { return H2(hsqrt(a.x), hsqrt(a.y)); }
FN H2 h2rsqrt(const H2 a) { return H2(hrsqrt(a.x), hrsqrt(a.y)); }
FN H2 h2rcp(const H2 a) { return H2(hrcp(a.x), hrcp(a.y)); }
FN H2 h2exp(const H2 a) { return H2(hexp(a.x), hexp(a.y)); }
FN H2 h2exp2(const H2 a) { return H2(hexp2(a.x), hexp2(a.y)); }
FN H2 h2log(const H2 a) { return H2(hlog(a.x), hlog(a.y)); }
FN H2 h2log2(const H2 a) { return H2(hlog2(a.x), hlog2(a.y)); }
FN H2 h2sin(const H2 a) { return H2(hsin(a.x), hsin(a.y)); }
FN H2 h2cos(const H2 a) { return H2(hcos(a.x), hcos(a.y)); }
FN H2 h2tanh(const H2 a) { return H2(htanh(a.x), htanh(a.y)); }

FN H htanh_approx(const H a) { return htanh(a); }
FN H2 h2tanh_approx(const H2 a) { return h2tanh(a); }
FN H2 h2exp10(const H2 a) { return H2(hexp10(a.x), hexp10(a.y)); }
FN H2 h2log10(const H2 a) { return H2(hlog10(a.x), hlog10(a.y)); }
FN H2 h2floor(const H2 a) { return H2(hfloor(a.x), hfloor(a.y)); }
FN H2 h2ceil(const H2 a) { return H2(hceil(a.x), hceil(a.y)); }
FN H2 h2trunc(const H2 a) { return H2(htrunc(a.x), htrunc(a.y)); }
FN H2 h2rint(const H2 a) { return H2(hrint(a.x), hrint(a.y)); }

// Conversions between 16-bit floats and integers; NAME is the type in the functions' names. A value
// outside the integer's range is clamped to it.
#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define TO(suffix, T, way, f, least, most) \
    FN T JOIN(JOIN(__, NAME), 2##suffix##_##way)(const H h) { const float v = f((float)h); return (T)min(max((int)v, least), most); }
#define WIDE(suffix, T, way, f) \
    FN T JOIN(JOIN(__, NAME), 2##suffix##_##way)(const H h) { return (T)f((float)h); }
#define WAYS(way, f) \
    TO(short, short, way, f, -32768, 32767) TO(ushort, unsigned short, way, f, 0, 65535) \
    WIDE(int, int, way, f) WIDE(uint, unsigned int, way, f) WIDE(ll, long long, way, f) WIDE(ull, unsigned long long, way, f)
WAYS(rn, rintf)
WAYS(rd, floorf)
WAYS(ru, ceilf)
WAYS(rz, truncf)
TO(char, signed char, rz, truncf, -128, 127)
TO(uchar, unsigned char, rz, truncf, 0, 255)
#define FROM(prefix, T) \
    FN H JOIN(__##prefix##2, JOIN(NAME, _rn))(const T v) { return (H)v; } \
    FN H JOIN(__##prefix##2, JOIN(NAME, _rd))(const T v) { return (H)JOIN(TOWARD, _rd)((double)v); } \
    FN H JOIN(__##prefix##2, JOIN(NAME, _ru))(const T v) { return (H)JOIN(TOWARD, _ru)((double)v); } \
    FN H JOIN(__##prefix##2, JOIN(NAME, _rz))(const T v) { return (H)JOIN(TOWARD, _rz)((double)v); }
#define FROM_WIDE(prefix, T) \
    FN H JOIN(__##prefix##2, JOIN(NAME, _rn))(const T v) { return (H)v; } \
    FN H JOIN(__##prefix##2, JOIN(NAME, _rd))(const T v) { return (H)JOIN(TOWARD, _rd)(__##prefix##2double_rd(v)); } \
    FN H JOIN(__##prefix##2, JOIN(NAME, _ru))(const T v) { return (H)JOIN(TOWARD, _ru)(__##prefix##2double_ru(v)); } \
    FN H JOIN(__##prefix##2, JOIN(NAME, _rz))(const T v) { return (H)JOIN(TOWARD, _rz)(__##prefix##2double_rz(v)); }
FROM(short, short)
FROM(ushort, unsigned short)
FROM(int, int)
FROM(uint, unsigned int)
FROM(float, float)
FROM_WIDE(ll, long long)
FROM_WIDE(ull, unsigned long long)
#undef FROM_WIDE
#undef FROM
#undef WAYS
#undef WIDE
#undef TO
#undef JOIN
#undef PASTE
#undef NAME
#undef TOWARD

FN float __low2float(const H2 a) { return a.x; }
FN float __high2float(const H2 a) { return a.y; }

#undef H
#undef H2
#undef FN
