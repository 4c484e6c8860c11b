//! Half of each number of `x`, added to `y`. For every twelve bytes that are moved there are two operations. A large
//! GPU could do a hundred and more in that time.
//!
//! Look at: the bytes per second.
//@ input  x: float[n] = frac
//@ output y: float[n] = frac2
//@ launch axpy(x, y, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021, 65536
//@ page 2^23
//@ measure 2^24, 2^28
//@ bytes 12 * n
//@ flops 2 * n
//@ tolerance abs 1e-6 rel 1e-6

extern "C" __global__ void axpy(
    const float* x, float* y, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 0.5f * x[i] + y[i];
}

__host__ __device__ float expected(
    const float* x, const float* y, unsigned int i) {
    return 0.5f * x[i] + y[i];
}
