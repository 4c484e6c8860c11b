//! A quarter of the threads: 32 x 8, each with four elements. Eight such blocks fit on a multiprocessor, where two
//! fitted before, and a barrier waits for 8 warps and not for 32.
//!
//! Look at: *barriers* for the same bytes; and the time.
//@ input  in: float[n * n] = frac
//@ output out: float[n * n] = poison
//@ launch transpose(in, out, n) grid = ((n + 31) / 32, (n + 31) / 32), block = (32, 8)
//@ test 1, 5, 31, 32, 33, 64, 65, 100, 257
//@ page 512
//@ measure 8192, 16384
//@ bytes 8 * n * n

extern "C" __global__ void transpose(const float* in, float* out, unsigned int n) {
    __shared__ float tile[32][33];
    unsigned int tx = threadIdx.x, ty = threadIdx.y;
    unsigned int left = blockIdx.x * 32, top = blockIdx.y * 32;

#pragma unroll
    for (unsigned int r = ty; r < 32; r += 8)
        if (left + tx < n && top + r < n)
            tile[r][tx] = in[(top + r) * n + left + tx];
    __syncthreads();

#pragma unroll
    for (unsigned int r = ty; r < 32; r += 8)
        if (top + tx < n && left + r < n)
            out[(left + r) * n + top + tx] = tile[tx][r];
}

/// Row and column change places.
__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    return in[i % n * n + i / n];
}
