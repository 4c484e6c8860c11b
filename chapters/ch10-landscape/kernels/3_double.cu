//! The same in double precision. The large chips for data centres, from the P100 to the B200, have
//! one unit for doubles per two units for floats. Those for games have one per 64 since Ampere, and
//! had one per 32 before.
//!
//! Look at: the time, beside that of the file before. Both do as many operations.
//@ input  x: double[n] = frac
//@ output y: double[n] = poison
//@ let rounds = 512
//@ launch rate(x, y, n, rounds) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021
//@ page 2^14
//@ measure 2^22
//@ bytes 16 * n
//@ flops 8 * n * rounds
//@ tolerance abs 1e-4 rel 1e-5

/// Four chains that do not wait for one another, put together at the end.
__host__ __device__ double chains(double x, int rounds) {
    double a = x, b = x + 1, c = x + 2, d = x + 3;
    for (int r = 0; r < rounds; r++) {
        a = a * 0.500 + 0.125;
        b = b * 0.500 + 0.250;
        c = c * 0.500 + 0.375;
        d = d * 0.500 + 0.500;
    }
    return (a + b) + (c + d);
}

extern "C" __global__ void rate(
    const double* x, double* y, unsigned int n, int rounds) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = chains(x[i], rounds);
}

__host__ __device__ double expected(
    const double* x, int rounds, unsigned int i) {
    return chains(x[i], rounds);
}
