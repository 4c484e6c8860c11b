//! Much arithmetic per number. Each thread reads one number and then multiplies and adds in registers: `rounds`
//! rounds for each of four independent sums, so that there is always one that need not wait for its last result.
//!
//! Look at: the operations per second. The roofline below has the peak.
//@ input  x: float[n] = frac
//@ output y: float[n] = poison
//@ let rounds = 512
//@ launch burn(x, y, n, rounds) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021
//@ page 2^15
//@ measure 2^20, 2^24
//@ bytes 8 * n
//@ flops 8 * n * rounds
//@ tolerance abs 1e-5 rel 1e-5

/// Four chains that do not wait for one another, put together at the end.
__host__ __device__ float chains(float x, int rounds) {
    float a = x, b = x + 0.25f, c = x + 0.5f, d = x + 0.75f;
    for (int r = 0; r < rounds; r++) {
        a = a * 0.5f + 0.125f;
        b = b * 0.5f + 0.250f;
        c = c * 0.5f + 0.375f;
        d = d * 0.5f + 0.500f;
    }
    return (a + b) + (c + d);
}

extern "C" __global__ void burn(
    const float* x, float* y, unsigned int n, int rounds) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = chains(x[i], rounds);
}

__host__ __device__ float expected(
    const float* x, int rounds, unsigned int i) {
    return chains(x[i], rounds);
}
