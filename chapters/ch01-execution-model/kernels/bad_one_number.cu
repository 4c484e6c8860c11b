//! The kernel of `3_passes_on_ones.cu`, with inputs whose neighbours differ. It adds the wrong numbers, and now the
//! test fails.
//@ input  a: float[n] = frac
//@ input  b: float[n] = frac2
//@ output c: float[n] = poison
//@ launch vector_add(a, b, c, n) grid = (n + 255) / 256, block = 256
//@ test 33, 1021
//@ page 1021
//@ catch wrong-result

extern "C" __global__ void vector_add(
    const float* a, const float* b, float* c, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[0] + b[n - 1 - i];  //~ wrong-result
}

__host__ __device__ float expected(
    const float* a, const float* b, unsigned int i) {
    return a[i] + b[i];
}
