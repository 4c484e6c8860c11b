//! How fast do the ordinary cores multiply and add? Four chains of fused multiply-adds in each
//! thread, in registers, so that the units never wait for a result.
//!
//! Look at: the operations per second, against the data sheet.
//@ input  x: float[n] = frac
//@ output y: float[n] = poison
//@ let rounds = 512
//@ launch rate(x, y, n, rounds) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021
//@ page 2^14
//@ measure 2^22
//@ bytes 8 * n
//@ flops 8 * n * rounds
//@ tolerance abs 1e-4 rel 1e-5

/// Four chains that do not wait for one another, put together at the end.
__host__ __device__ float chains(float x, int rounds) {
    float a = x, b = x + 1, c = x + 2, d = x + 3;
    for (int r = 0; r < rounds; r++) {
        a = a * 0.500f + 0.125f;
        b = b * 0.500f + 0.250f;
        c = c * 0.500f + 0.375f;
        d = d * 0.500f + 0.500f;
    }
    return (a + b) + (c + d);
}

extern "C" __global__ void rate(
    const float* x, float* y, unsigned int n, int rounds) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = chains(x[i], rounds);
}

__host__ __device__ float expected(
    const float* x, int rounds, unsigned int i) {
    return chains(x[i], rounds);
}
