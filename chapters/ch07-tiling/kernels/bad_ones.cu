//! A product with a mistake: it reads the transpose of `b`. With matrices of ones the result is n everywhere, right
//! or wrong. With numbers that differ it is wrong.
//@ input  a: float[n * n] = frac
//@ input  b: float[n * n] = frac2
//@ output c: float[n * n] = poison
//@ launch matmul(a, b, c, n) grid = ((n + 15) / 16, (n + 15) / 16), block = (16, 16)
//@ test 64
//@ page 64
//@ bytes 12 * n * n
//@ tolerance abs 1e-3
//@ catch wrong-result

extern "C" __global__ void matmul(
    const float* a, const float* b, float* c, unsigned int n) {
    unsigned int row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n)
        return;

    float sum = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += a[row * n + k] * b[col * n + k];  //~ wrong-result
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
