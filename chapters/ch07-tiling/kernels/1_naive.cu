//! One thread per element of the product: it goes along a row of `a` and down a column of `b`. Neighbouring lanes
//! have neighbouring *rows*, so they read words that are n apart.
//!
//! Look at: *sectors per load* and *sectors per store*.
//@ input  a: float[n * n] = frac
//@ input  b: float[n * n] = frac2
//@ output c: float[n * n] = poison
//@ launch matmul(a, b, c, n) grid = ((n + 15) / 16, (n + 15) / 16), block = (16, 16)
//@ test 1, 5, 16, 17, 33, 64, 65, 127, 130
//@ page 128
//@ measure 1024, 2048, 4096
//@ bytes 12 * n * n
//@ flops 2 * n * n * n
//@ tolerance abs 1e-3

extern "C" __global__ void matmul(
    const float* a, const float* b, float* c, unsigned int n) {
    unsigned int row = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n)
        return;

    float sum = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

/// Row i / n of a times column i % n of b.
__host__ __device__ float expected(
    const float* a, const float* b, unsigned int n, unsigned int i) {
    unsigned int row = i / n, col = i % n;
    double sum = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += (double)a[row * n + k] * b[k * n + col];
    return (float)sum;
}
