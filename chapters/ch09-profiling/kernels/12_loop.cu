//! Each thread goes through the array in long steps. It loads a number, waits for it, takes it through
//! 256 steps of arithmetic, and loads the next. The arithmetic takes longer than a load.
//!
//! `blocks` sets the number of threads: 128 times as many. `unroll 1` keeps the compiler from
//! prefetching by itself.
//!
//! Look at: the time by the number of blocks.
//@ vary blocks = 132, 264, 528, 1056, 2112
//@ input  data: float[n] = frac
//@ output out: float[128 * blocks] = poison
//@ launch sums(data, out, n) grid = blocks, block = 128
//@ test 1, 31, 1021, 16896, 20000
//@ page 2^14
//@ measure 2^26
//@ bytes 4 * n
//@ flops 513 * n
//@ tolerance abs 1e-2 rel 1e-4

/// The arithmetic: 256 steps, each of which waits for the one before.
__host__ __device__ float bend(float x) {
#pragma unroll
    for (int r = 0; r < 256; r++)
        x = x * 0.75f + 0.125f;
    return x;
}

extern "C" __global__ void sums(
    const float* data, float* out, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int step = gridDim.x * blockDim.x;
    float sum = 0.0f;
#pragma unroll 1
    for (unsigned int k = i; k < n; k += step)
        sum += bend(data[k]);
    out[i] = sum;
}

__host__ __device__ float expected(
    const float* data, unsigned int n, unsigned int blocks,
    unsigned int i) {
    float sum = 0.0f;
    for (unsigned int k = i; k < n; k += 128 * blocks)
        sum += bend(data[k]);
    return sum;
}
