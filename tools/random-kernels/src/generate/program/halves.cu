#include <cuda_bf16.h>
#include <cuda_fp16.h>
__device__ u16 bits_of(__half x) { return __hisnan(x) ? 0x7fff : __half_as_ushort(x); }
__device__ u16 bits_of(__nv_bfloat16 x) { return __hisnan(x) ? 0x7fff : __bfloat16_as_ushort(x); }
__device__ __half number(__half x) { return __hisnan(x) ? __ushort_as_half(0x3c00) : x; }
__device__ __nv_bfloat16 number(__nv_bfloat16 x) { return __hisnan(x) ? __ushort_as_bfloat16(0x3f80) : x; }
__device__ void fold(u32& h, __half v) { fold(h, (u32)bits_of(v)); }
__device__ void fold(u32& h, __nv_bfloat16 v) { fold(h, (u32)bits_of(v)); }
