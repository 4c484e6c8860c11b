//! The kernel is right and its launch is wrong. `n / 256` rounds down, so the elements after the last whole
//! block are not computed. With a power of two it passes; with 1,021 elements the last 253 keep what was in
//! memory.
//@ let blocks = n / 256
//@ input  a: float[n] = frac
//@ input  b: float[n] = frac2
//@ output c: float[n] = poison
//@ launch vector_add(a, b, c, n) grid = blocks, block = 256
//@ test 257, 1021
//@ page 1021
//@ catch wrong-result

extern "C" __global__ void vector_add(
    const float* a, const float* b, float* c, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];  //~ wrong-result
}

__host__ __device__ float expected(
    const float* a, const float* b, unsigned int i) {
    return a[i] + b[i];
}
