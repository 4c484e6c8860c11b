// <cuda_fp16.h>
#define __CUDA_FP16_H__
typedef __builtin_half __half;
typedef __builtin_half half;
typedef __builtin_half nv_half;
typedef __builtin_half2 __half2;
typedef __builtin_half2 half2;
typedef __builtin_half2 nv_half2;

#define FN __device__ __forceinline__
#define H __half
#define H2 __half2
#define NAME half
#define TOWARD __half

FN __half __float2half(const float a) { return (__half)a; }
FN __half __double2half(const double a) { return (__half)a; }
FN float __half2float(const __half a) { return (float)a; }
FN short __half_as_short(const __half a) { return (short)__half_as_ushort(a); }
FN __half __short_as_half(const short a) { return __ushort_as_half((unsigned short)a); }
FN int __hisinf(const __half a) {
    return __half_as_ushort(a) == 0x7c00u ? 1 : __half_as_ushort(a) == 0xfc00u ? -1 : 0;
}

FN __half2 __half2half2(const __half a) { return __half2(a, a); }
FN __half2 __halves2half2(const __half a, const __half b) { return __half2(a, b); }
FN __half2 make_half2(const __half a, const __half b) { return __half2(a, b); }
FN __half2 __float2half2_rn(const float a) { return __half2(a, a); }
FN __half2 __floats2half2_rn(const float a, const float b) { return __half2(a, b); }
FN __half2 __float22half2_rn(const float2 a) { return __half2(a.x, a.y); }
FN float2 __half22float2(const __half2 a) { return make_float2(a.x, a.y); }
FN __half __low2half(const __half2 a) { return a.x; }
FN __half __high2half(const __half2 a) { return a.y; }
FN __half2 __low2half2(const __half2 a) { return __half2(a.x, a.x); }
FN __half2 __high2half2(const __half2 a) { return __half2(a.y, a.y); }
FN __half2 __lows2half2(const __half2 a, const __half2 b) { return __half2(a.x, b.x); }
FN __half2 __highs2half2(const __half2 a, const __half2 b) { return __half2(a.y, b.y); }
FN __half2 __lowhigh2highlow(const __half2 a) { return __half2(a.y, a.x); }
