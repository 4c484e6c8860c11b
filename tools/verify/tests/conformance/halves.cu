//! Floats of 16 bits.
//@ input  x: half[n] = ramp
//@ input  y: bfloat16[n] = one
//@ output sums: half[n] = poison
//@ output narrow: bfloat16[n] = poison
//@ launch add(x, y, sums, narrow, n) grid = (n + 127) / 128, block = 128
//@ test 1, 17, 128, 129
//@ page 128

#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void add(const __half* x, const __nv_bfloat16* y, __half* sums,
                               __nv_bfloat16* narrow, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = __half2float(x[i]) + __bfloat162float(y[i]);
        sums[i] = __float2half(sum / 64);
        narrow[i] = __float2bfloat16(sum / 3);
    }
}

__host__ __device__ float expected_sums(int i) {
    return (i % 17 + 1) / 64.0f;
}

__host__ __device__ float expected_narrow(int i) {
    return (i % 17 + 1) / 3.0f;
}
