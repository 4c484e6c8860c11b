//! The same loop, but in the source each thread loads its next number before it uses the one that it has. A second
//! register holds the number in flight: *double buffering*, software prefetching on a GPU.
//!
//! Look at: where it helps, and where other warps hide the latency already.
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
    float next = i < n ? data[i] : 0.0f;
#pragma unroll 1
    for (unsigned int k = i; k < n; k += step) {
        float now = next;
        if (k + step < n)
            next = data[k + step];
        sum += bend(now);
    }
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
