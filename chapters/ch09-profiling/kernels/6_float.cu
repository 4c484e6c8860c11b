//! A scale, a shift, and everything below zero cut off: in single precision, one number per thread.
//!
//! Look at: the time for each byte, to compare with the next two.
//@ input  x: float[n] = frac
//@ output y: float[n] = poison
//@ launch activate(x, y, n) grid = (n + 255) / 256, block = 256
//@ test 1, 2, 31, 32, 33, 255, 256, 257, 1021, 65536
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 8 * n
//@ flops 2 * n
//@ tolerance abs 1e-6 rel 1e-6

extern "C" __global__ void activate(
    const float* x, float* y, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = max(x[i] * 0.5f + 0.25f, 0.0f);
}

__host__ __device__ float expected(const float* x, unsigned int i) {
    return max(x[i] * 0.5f + 0.25f, 0.0f);
}
