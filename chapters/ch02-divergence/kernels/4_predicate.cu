//! The two paths of `2_by_thread.cu` as two conditions, one after the other. (`mathKernel3`, which
//! was meant to help the compiler see that it may do without branches.)
//!
//! Look at: *branches*, and at the compiled code beside that of `2_by_thread.cu`.
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
    bool even = i % 2 == 0;
    if (even)
        a = 100.0f;
    if (!even)
        b = 200.0f;
    c[i] = a + b;
}

__host__ __device__ float expected(unsigned int i) {
    return i % 2 == 0 ? 100.0f : 200.0f;
}
