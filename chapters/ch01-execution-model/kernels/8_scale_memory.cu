//! Vector addition with the same grid-stride loop: `blocks` blocks of 1024 threads, or as many as
//! have an element to begin with. Now it is the memory that all multiprocessors share.
//!
//! Look at: where the time stops falling, and what more blocks than fit at once do to it.
//@ vary blocks = 1, 2, 4, 8, 16, 33, 66, 132, 264, 528, 1056, 2112, 8448, 65536
//@ input  a: float[n] = frac
//@ input  b: float[n] = frac2
//@ output c: float[n] = poison
//@ launch vector_add(a, b, c, n) grid = min(blocks, (n + 1023) / 1024), block = 1024
//@ test 1, 31, 1024, 1025, 100003
//@ page 2^12
//@ measure 2^26
//@ bytes 12 * n
//@ flops n

extern "C" __global__ void vector_add(
    const float* a, const float* b, float* c, unsigned int n) {
    unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int threads = gridDim.x * blockDim.x;  // of the whole grid
    for (unsigned int i = first; i < n; i += threads)
        c[i] = a[i] + b[i];
}

__host__ __device__ float expected(
    const float* a, const float* b, unsigned int i) {
    return a[i] + b[i];
}
