// <cuda_fp8.h>: floats of 8 bits, with 3 bits of fraction (e4m3) or 2 (e5m2). They are storage: a value is
// converted to and from them, rounded to nearest even.
#ifndef __FP8_TEXT
#define __FP8_TEXT
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#define FN __host__ __device__ inline
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

FN double __fp8_power(int n) {
    const unsigned long long bits = (unsigned long long)(1023 + n) << 52;
    return *(const double*)&bits;
}
FN __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
    const unsigned long long bits = *(const unsigned long long*)&x;
    const int fraction = kind == __NV_E4M3 ? 3 : 2, least = kind == __NV_E4M3 ? -6 : -14;
    const unsigned int most = kind == __NV_E4M3 ? 0x7e : 0x7b, sign = (unsigned int)(bits >> 56) & 0x80;
    const double size = x < 0 ? -x : x;
    if (x != x) return (__nv_fp8_storage_t)((kind == __NV_E4M3 ? 0x7f : 0x7e | (unsigned int)(bits >> 50 & 3)) | sign);
    unsigned int code = most + 1;
    if (size < 131072.0) {
        int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
        if (exponent < least) exponent = least;
        const double steps = size * __fp8_power(fraction - exponent);
        unsigned int whole = (unsigned int)steps;
        const double rest = steps - whole;
        if (rest > 0.5 || (rest == 0.5 && whole % 2 == 1)) ++whole;
        code = ((unsigned int)(exponent - least) << fraction) + whole;
    }
    if (code > most) code = saturate == __NV_SATFINITE ? most : kind == __NV_E4M3 ? 0x7f : 0x7c;
    return (__nv_fp8_storage_t)(code | sign);
}
FN __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
    return x != x ? 0x7f : __nv_cvt_double_to_fp8(x, saturate, kind);
}
FN float __fp8_value(const __nv_fp8_storage_t code, const __nv_fp8_interpretation_t kind) {
    const int fraction = kind == __NV_E4M3 ? 3 : 2, least = kind == __NV_E4M3 ? -6 : -14;
    const unsigned int size = code & 0x7f, exponent = size >> fraction, rest = size & ((1u << fraction) - 1);
    double value = exponent == 0 ? rest * __fp8_power(least - fraction)
                                 : (rest + (1 << fraction)) * __fp8_power((int)exponent - 1 + least - fraction);
    if (kind == __NV_E4M3 ? size == 0x7f : size > 0x7c) return NAN;
    if (kind == __NV_E5M2 && size == 0x7c) value = INFINITY;
    return (float)(code & 0x80 ? -value : value);
}
FN __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.y, saturate, kind) << 8 | __nv_cvt_float_to_fp8(x.x, saturate, kind));
}
FN __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.y, saturate, kind) << 8 | __nv_cvt_double_to_fp8(x.x, saturate, kind));
}

#define FROM(T) FN explicit NAME(const T x) : __x(__nv_cvt_float_to_fp8((float)x, __NV_SATFINITE, KIND)) {}
#define AS(T) FN explicit operator T() const { return (T)__fp8_value(__x, KIND); }
#define FP8 \
    struct __align__(1) NAME { \
        __nv_fp8_storage_t __x; \
        NAME() = default; \
        FROM(float) FROM(short) FROM(unsigned short) FROM(int) FROM(unsigned int) FROM(long) FROM(unsigned long) \
        FROM(long long) FROM(unsigned long long) \
        FN explicit NAME(const double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, KIND)) {} \
        __device__ explicit NAME(const __half x) : __x(__nv_cvt_float_to_fp8((float)x, __NV_SATFINITE, KIND)) {} \
        __device__ explicit NAME(const __nv_bfloat16 x) : __x(__nv_cvt_float_to_fp8((float)x, __NV_SATFINITE, KIND)) {} \
        AS(float) AS(double) \
        FN explicit operator bool() const { return (__x & 0x7f) != 0; } \
        __device__ explicit operator __half() const { return (__half)__fp8_value(__x, KIND); } \
        __device__ explicit operator __nv_bfloat16() const { return (__nv_bfloat16)__fp8_value(__x, KIND); } \
    }; \
    struct __align__(2) NAME2 { \
        __nv_fp8x2_storage_t __x; \
        NAME2() = default; \
        FN explicit NAME2(const float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, KIND)) {} \
        FN explicit NAME2(const double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, KIND)) {} \
        __device__ explicit NAME2(const __half2 x) : __x(__nv_cvt_float2_to_fp8x2(float2{(float)x.x, (float)x.y}, __NV_SATFINITE, KIND)) {} \
        __device__ explicit NAME2(const __nv_bfloat162 x) : __x(__nv_cvt_float2_to_fp8x2(float2{(float)x.x, (float)x.y}, __NV_SATFINITE, KIND)) {} \
        FN explicit operator float2() const { return float2{__fp8_value((__nv_fp8_storage_t)__x, KIND), __fp8_value((__nv_fp8_storage_t)(__x >> 8), KIND)}; } \
        __device__ explicit operator __half2() const { \
            return __half2((__half)__fp8_value((__nv_fp8_storage_t)__x, KIND), (__half)__fp8_value((__nv_fp8_storage_t)(__x >> 8), KIND)); \
        } \
    }; \
    struct __align__(4) NAME4 { \
        __nv_fp8x4_storage_t __x; \
        NAME4() = default; \
        FN explicit NAME4(const float4 x) \
            : __x((unsigned int)__nv_cvt_float2_to_fp8x2(float2{x.z, x.w}, __NV_SATFINITE, KIND) << 16 | __nv_cvt_float2_to_fp8x2(float2{x.x, x.y}, __NV_SATFINITE, KIND)) {} \
        FN explicit operator float4() const { \
            return float4{__fp8_value((__nv_fp8_storage_t)__x, KIND), __fp8_value((__nv_fp8_storage_t)(__x >> 8), KIND), \
                          __fp8_value((__nv_fp8_storage_t)(__x >> 16), KIND), __fp8_value((__nv_fp8_storage_t)(__x >> 24), KIND)}; \
        } \
    };
#define KIND __NV_E4M3
#define NAME __nv_fp8_e4m3
#define NAME2 __nv_fp8x2_e4m3
#define NAME4 __nv_fp8x4_e4m3
FP8
#undef KIND
#undef NAME
#undef NAME2
#undef NAME4
#define KIND __NV_E5M2
#define NAME __nv_fp8_e5m2
#define NAME2 __nv_fp8x2_e5m2
#define NAME4 __nv_fp8x4_e5m2
FP8
#undef KIND
#undef NAME
#undef NAME2
#undef NAME4
#undef FP8
#undef FROM
#undef AS
#undef FN
#endif
