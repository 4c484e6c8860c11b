//! `3_by_warp.cu` with a shift and a test of one bit where that has a division and a remainder. (`mathKernel4`,
//! with the parentheses that it needs.)
//!
//! Look at: the instructions, beside those of `3_by_warp.cu`.
//@ output c: float[n] = poison
//@ launch math_kernel(c) grid = n / 64, block = 64
//@ test 64, 128, 1024, 4096
//@ page 64
//@ measure 2^24
//@ bytes 4 * n
//@ sass
//@ unoptimised

extern "C" __global__ void math_kernel(float* c) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f, b = 0.0f;
    unsigned int warp = i >> 5;
    if ((warp & 1) == 0)
        a = 100.0f;
    else
        b = 200.0f;
    c[i] = a + b;
}

__host__ __device__ float expected(unsigned int i) {
    return i / 32 % 2 == 0 ? 100.0f : 200.0f;
}
