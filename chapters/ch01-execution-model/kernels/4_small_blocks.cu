//! Blocks of every size again, but always 2^18 threads in all. The index of each thread grows by the number of
//! threads in the grid until the array is done: a *grid-stride loop*. From 64 threads per block on, all
//! blocks fit on an H200 at once, so none has to be started while the kernel runs. (Of 32 threads not all fit.)
//!
//! Look at: the time at 64 threads per block, here and in `2_vector_add.cu`.
//@ vary block = 32, 64, 128, 256, 512, 1024
//@ let blocks = 2^18 / block
//@ input  a: float[n] = frac
//@ input  b: float[n] = frac2
//@ output c: float[n] = poison
//@ launch vector_add(a, b, c, n) grid = blocks, block = block
//@ test 1, 31, 1024, 1025, 300007
//@ page 2^12
//@ measure 2^28
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
