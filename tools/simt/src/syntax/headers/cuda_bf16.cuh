// <cuda_bf16.h>
#define __CUDA_BF16_H__
typedef __builtin_bfloat16 __nv_bfloat16;
typedef __builtin_bfloat16 nv_bfloat16;
typedef __builtin_bfloat162 __nv_bfloat162;
typedef __builtin_bfloat162 nv_bfloat162;

#define FN __device__ __forceinline__
#define H __nv_bfloat16
#define H2 __nv_bfloat162
#define NAME bfloat16
#define TOWARD __bfloat

FN __nv_bfloat16 __float2bfloat16(const float a) { return (__nv_bfloat16)a; }
FN __nv_bfloat16 __double2bfloat16(const double a) { return (__nv_bfloat16)a; }
FN float __bfloat162float(const __nv_bfloat16 a) { return (float)a; }
FN short __bfloat16_as_short(const __nv_bfloat16 a) { return (short)__bfloat16_as_ushort(a); }
FN __nv_bfloat16 __short_as_bfloat16(const short a) { return __ushort_as_bfloat16((unsigned short)a); }
FN int __hisinf(const __nv_bfloat16 a) {
    return __bfloat16_as_ushort(a) == 0x7f80u ? 1 : __bfloat16_as_ushort(a) == 0xff80u ? -1 : 0;
}

FN __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a) { return __nv_bfloat162(a, a); }
FN __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 a, const __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
FN __nv_bfloat162 make_bfloat162(const __nv_bfloat16 a, const __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
FN __nv_bfloat162 __float2bfloat162_rn(const float a) { return __nv_bfloat162(a, a); }
FN __nv_bfloat162 __floats2bfloat162_rn(const float a, const float b) { return __nv_bfloat162(a, b); }
FN __nv_bfloat162 __float22bfloat162_rn(const float2 a) { return __nv_bfloat162(a.x, a.y); }
FN float2 __bfloat1622float2(const __nv_bfloat162 a) { return make_float2(a.x, a.y); }
FN __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 a) { return a.x; }
FN __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 a) { return a.y; }
FN __nv_bfloat162 __low2bfloat162(const __nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
FN __nv_bfloat162 __high2bfloat162(const __nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
FN __nv_bfloat162 __lowhigh2highlow(const __nv_bfloat162 a) { return __nv_bfloat162(a.y, a.x); }
FN __nv_bfloat162 __lows2bfloat162(const __nv_bfloat162 a, const __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
FN __nv_bfloat162 __highs2bfloat162(const __nv_bfloat162 a, const __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
