//! This kernel is wrong, and it passes. Thread i ought to add `a[i]` and `b[i]`; it adds `a[0]` and
//! the number at the other end of `b`. Every input is 1, so every sum is 2, wherever the numbers
//! come from.
//!
//! The same lines with other inputs are `bad_one_number.cu`.
//@ input  a: float[n] = one
//@ input  b: float[n] = one
//@ output c: float[n] = poison
//@ launch vector_add(a, b, c, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021, 4096
//@ page 1021

extern "C" __global__ void vector_add(
    const float* a, const float* b, float* c, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[0] + b[n - 1 - i];
}

__host__ __device__ float expected(
    const float* a, const float* b, unsigned int i) {
    return a[i] + b[i];
}
