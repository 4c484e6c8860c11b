//! How fast do the ordinary cores multiply and add? Eight chains of fused multiply-adds in each
//! thread, in registers, so that the units never wait for a result.
//!
//! Look at: the operations a second, against the data sheet.
//@ input  x: float[n] = frac
//@ output y: float[n] = poison
//@ let rounds = 512
//@ launch rate(x, y, n, rounds) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021
//@ page 2^12
//@ measure 2^21
//@ bytes 8 * n
//@ flops 16 * n * rounds
//@ tolerance abs 1e-4 rel 1e-5

/// Eight chains that do not wait for one another, put together at the end.
__host__ __device__ float chains(float x, int rounds) {
    float sum[8];
    for (int c = 0; c < 8; c++)
        sum[c] = x + (float)c;
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int c = 0; c < 8; c++)
            sum[c] = sum[c] * 0.5f + 0.25f;
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

extern "C" __global__ void rate(const float* x, float* y, unsigned int n, int rounds) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = chains(x[i], rounds);
}

__host__ __device__ float expected(const float* x, int rounds, unsigned int i) {
    return chains(x[i], rounds);
}
