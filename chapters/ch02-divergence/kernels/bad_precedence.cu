//! `5_by_shift.cu` as it is in the notes, without the inner parentheses. In C++ `==` binds more tightly than `&`, so
//! this is `warp & (1 == 0)`, which is `warp & 0`: false for every warp. There is no divergence, and no choice
//! either.
//@ output c: float[n] = poison
//@ launch math_kernel(c) grid = n / 64, block = 64
//@ test 64, 1024
//@ page 64
//@ catch wrong-result

extern "C" __global__ void math_kernel(float* c) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f, b = 0.0f;
    unsigned int warp = i >> 5;
    if (warp & 0x01 == 0)  //~ wrong-result
        a = 100.0f;
    else
        b = 200.0f;
    c[i] = a + b;
}

__host__ __device__ float expected(unsigned int i) {
    return i / 32 % 2 == 0 ? 100.0f : 200.0f;
}
