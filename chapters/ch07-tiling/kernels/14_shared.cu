//! Through shared memory. A block reads a tile row by row, waits, and writes each column of the tile as a row of
//! the result: the strided access happens in shared memory, where it costs no sectors.
//!
//! Look at: *sectors per load* and *per store*, both four now; and *shared load conflicts*.
//@ input  in: float[n * n] = frac
//@ output out: float[n * n] = poison
//@ launch transpose(in, out, n) grid = ((n + 31) / 32, (n + 31) / 32), block = (32, 32)
//@ test 1, 5, 31, 32, 33, 64, 65, 100, 257
//@ page 512
//@ measure 8192, 16384
//@ bytes 8 * n * n

extern "C" __global__ void transpose(const float* in, float* out, unsigned int n) {
    __shared__ float tile[32][32];
    unsigned int tx = threadIdx.x, ty = threadIdx.y;
    unsigned int left = blockIdx.x * 32, top = blockIdx.y * 32;

    if (left + tx < n && top + ty < n)
        tile[ty][tx] = in[(top + ty) * n + left + tx];
    __syncthreads();

    if (top + tx < n && left + ty < n)
        out[(left + ty) * n + top + tx] = tile[tx][ty];
}

/// Row and column change places.
__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    return in[i % n * n + i / n];
}
