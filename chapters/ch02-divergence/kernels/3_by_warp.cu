//! Even warps take one path and odd warps the other: each warp needs only one. (`mathKernel2`. The
//! results stand in another order; it is not the same function.)
//!
//! Look at: *divergent branches*.
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
    if ((i / warpSize) % 2 == 0)
        a = 100.0f;
    else
        b = 200.0f;
    c[i] = a + b;
}

__host__ __device__ float expected(unsigned int i) {
    return i / 32 % 2 == 0 ? 100.0f : 200.0f;
}
