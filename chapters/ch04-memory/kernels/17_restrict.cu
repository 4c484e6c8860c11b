//! `__restrict__` is a promise: the arrays behind these pointers do not overlap. Now one load of each is enough, and
//! it may use the read-only path, as `__ldg` does.
//@ sass
//@ input  in: float[n] = frac
//@ input  factor: float[1] = frac2
//@ output out: float[8 * n] = poison
//@ launch scale(in, factor, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^14
//@ measure 2^22
//@ bytes 36 * n
//@ differs fewer global_load_requests, global_load_sectors: the compiler reads once what the source reads twice (2026-11-21)

extern "C" __global__ void scale(const float* __restrict__ in,
                                 const float* __restrict__ factor,
                                 float* __restrict__ out, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#pragma unroll
        for (unsigned int k = 0; k < 8; k++)
            out[k * n + i] = in[i] * factor[0];
    }
}

__host__ __device__ float expected(
    const float* in, const float* factor, unsigned int n, unsigned int i) {
    return in[i % n] * factor[0];
}
