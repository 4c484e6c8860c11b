//! No transpose at all: each element goes where it was. The same bytes move, in the same shape.
//!
//! Look at: *sectors per load* and *sectors per store*, both four; and the time, to compare with.
//@ input  in: float[n * n] = frac
//@ output out: float[n * n] = poison
//@ launch transpose(in, out, n) grid = ((n + 31) / 32, (n + 31) / 32), block = (32, 32)
//@ test 1, 5, 31, 32, 33, 64, 65, 100, 257
//@ page 512
//@ measure 8192, 16384
//@ bytes 8 * n * n

extern "C" __global__ void transpose(const float* in, float* out, unsigned int n) {
    unsigned int x = blockIdx.x * 32 + threadIdx.x;
    unsigned int y = blockIdx.y * 32 + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = in[y * n + x];
}

/// The same element.
__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    return in[i];
}
