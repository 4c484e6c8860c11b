//! The same in half precision, still one number per thread. Half the bytes have to move.
//!
//! Each thread now asks for two bytes at a time instead of four. So with the same number of threads,
//! half as many bytes are in flight.
//!
//! Look at: *sectors per load*. A warp's 32 numbers fill two sectors.
//@ input  x: half[n] = frac
//@ output y: half[n] = poison
//@ launch activate(x, y, n) grid = (n + 255) / 256, block = 256
//@ test 1, 2, 31, 32, 33, 255, 256, 257, 1021, 65536
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ flops 2 * n
//@ tolerance abs 1e-3 rel 1e-3

#include "cuda_fp16.h"

extern "C" __global__ void activate(
    const __half* x, __half* y, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __float2half(max(__half2float(x[i]) * 0.5f + 0.25f, 0.0f));
}

__host__ __device__ __half expected(const __half* x, unsigned int i) {
    return __float2half(max(__half2float(x[i]) * 0.5f + 0.25f, 0.0f));
}
