//! Eight copies of an array, each multiplied by a factor in memory. As far as the compiler knows, `out` may overlap
//! `in` and `factor`. So before every store it has to load both numbers again: the store before may have changed
//! them.
//@ sass
//@ input  in: float[n] = frac
//@ input  factor: float[1] = frac2
//@ output out: float[8 * n] = poison
//@ launch scale(in, factor, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^14
//@ measure 2^22
//@ bytes 36 * n

extern "C" __global__ void scale(
    const float* in, const float* factor, float* out, unsigned int n) {
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
