//! The opposite of `bad_tail.cu`: the grid is rounded up, as it must be, but the kernel does not test
//! the index. With 1,021 elements there are 1,024 threads, and three of them read and write past the
//! end.
//@ input  a: float[n] = frac
//@ input  b: float[n] = frac2
//@ output c: float[n] = poison
//@ launch vector_add(a, b, c, n) grid = (n + 255) / 256, block = 256
//@ test 1021
//@ page 1021
//@ catch bounds

extern "C" __global__ void vector_add(
    const float* a, const float* b, float* c, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];  //~ bounds
}

__host__ __device__ float expected(
    const float* a, const float* b, unsigned int i) {
    return a[i] + b[i];
}
