//! The first program of every course: one thread per sum. Two numbers are read, one is written, so twelve bytes are
//! moved for a single addition.
//!
//! The block size varies from point to point, and with it the number of blocks: there is always one thread per
//! element.
//!
//! Look at: the difference in time between the smallest blocks and the largest.
//@ vary block = 16, 32, 64, 128, 256, 512, 1024
//@ input  a: float[n] = frac
//@ input  b: float[n] = frac2
//@ output c: float[n] = poison
//@ launch vector_add(a, b, c, n) grid = (n + block - 1) / block, block = block
//@ test 1, 31, 32, 33, 255, 256, 257, 1021, 4096, 100003
//@ page 2^16
//@ measure 2^20, 2^28
//@ bytes 12 * n
//@ flops n

extern "C" __global__ void vector_add(
    const float* a, const float* b, float* c, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__host__ __device__ float expected(
    const float* a, const float* b, unsigned int i) {
    return a[i] + b[i];
}
