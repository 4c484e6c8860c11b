//! Even threads take one path and odd threads the other, so every warp needs both. (The notes call
//! it `mathKernel1`.)
//!
//! Look at: *divergent branches* as the source says it, and at what the compiler leaves of them.
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
    if (i % 2 == 0)
        a = 100.0f;
    else
        b = 200.0f;
    c[i] = a + b;
}

__host__ __device__ float expected(unsigned int i) {
    return i % 2 == 0 ? 100.0f : 200.0f;
}
