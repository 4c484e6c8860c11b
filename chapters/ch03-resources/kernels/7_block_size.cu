//! The sum of two arrays, one element per thread, with blocks from one warp to 32 of them, and two sizes that are no
//! multiple of a warp.
//@ vary block = 32, 48, 64, 100, 128, 256, 512, 1024
//@ input  a: float[n] = frac
//@ input  b: float[n] = frac2
//@ output c: float[n] = poison
//@ launch add(a, b, c, n) grid = (n + block - 1) / block, block = block
//@ test 1, 31, 32, 33, 1023, 1024, 1025, 10007
//@ page 2^18
//@ measure 2^26
//@ bytes 12 * n

extern "C" __global__ void add(
    const float* a, const float* b, float* c, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__host__ __device__ float expected(
    const float* a, const float* b, unsigned int i) {
    return a[i] + b[i];
}
