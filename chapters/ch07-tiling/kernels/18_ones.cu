//! This kernel is wrong, and it passes: both matrices are ones, so each element of the product must be n.
//!
//! The same lines on numbers that differ are `bad_ones.cu`.
//@ input  a: float[n * n] = one
//@ input  b: float[n * n] = one
//@ output c: float[n * n] = poison
//@ launch matmul(a, b, c, n) grid = ((n + 15) / 16, (n + 15) / 16), block = (16, 16)
//@ test 1, 16, 33
//@ page 33

extern "C" __global__ void matmul(
    const float* a, const float* b, float* c, unsigned int n) {
    unsigned int row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n)
        return;
    float sum = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += a[row * n + k] * b[col * n + k];
    c[row * n + col] = sum;
}

__host__ __device__ float expected(unsigned int n, unsigned int i) { return n; }
