//! The same sum with any number of blocks: a grid-stride loop. The index of each thread grows by the number of
//! threads in the grid until the array is done.
//@ vary blocks = 33, 66, 132, 264, 528, 1056, 4224, 16896
//@ input  a: float[n] = frac
//@ input  b: float[n] = frac2
//@ output c: float[n] = poison
//@ launch add(a, b, c, n) grid = blocks, block = 256
//@ test 1, 31, 32, 33, 1023, 1024, 1025, 10007
//@ page 2^16
//@ measure 2^26
//@ bytes 12 * n

extern "C" __global__ void add(
    const float* a, const float* b, float* c, unsigned int n) {
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}

__host__ __device__ float expected(
    const float* a, const float* b, unsigned int i) {
    return a[i] + b[i];
}
