//! The sum of two matrices, one thread for each element, and blocks of every shape: `threads` in
//! all, `bx` of them side by side. (32, 16) is 512 threads with `bx` = 32.
//!
//! The matrix has three rows more than columns. A kernel that mixes the two up would pass on a
//! square.
//!
//! Look at: *sectors per load*, as the block becomes narrower. A sector is a piece of memory of 32 bytes.
//@ vary bx = 1, 2, 4, 8, 16, 32, 64, 128, 256
//@ vary threads = 256, 512, 1024
//@ let by = threads / bx
//@ let height = n + 3
//@ input  a: float[n * height] = frac
//@ input  b: float[n * height] = frac2
//@ output c: float[n * height] = poison
//@ launch matrix_sum(a, b, c, n, height) grid = ((n + bx - 1) / bx, (height + by - 1) / by), block = (bx, by)
//@ test 1, 15, 16, 17, 31, 32, 33, 61, 200
//@ page 128
//@ measure 2^14
//@ bytes 12 * n * height
//@ flops n * height

extern "C" __global__ void matrix_sum(
    const float* a, const float* b, float* c,
    unsigned int width, unsigned int height) {
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        unsigned int i = y * width + x;
        c[i] = a[i] + b[i];
    }
}

__host__ __device__ float expected(
    const float* a, const float* b, unsigned int i) {
    return a[i] + b[i];
}
