//! The padded transpose of chapter 7 with a larger tile: 64 x 64, moved by 512 threads, eight elements
//! each. A row of the tile is 256 bytes of memory, in the input and in the output.
//!
//! Look at: *global load requests* and *shared load conflicts*.
//@ input in: float[n * n] = frac
//@ output out: float[n * n] = poison
//@ let tiles = (n + 63) / 64
//@ launch transpose(in, out, n) grid = (tiles, tiles), block = 512
//@ test 1, 5, 31, 32, 33, 64, 65, 100, 257
//@ page 512
//@ measure 16384
//@ bytes 8 * n * n

extern "C" __global__ void transpose(const float* in, float* out, unsigned int n) {
    __shared__ float tile[64][65];
    unsigned int left = blockIdx.x * 64, top = blockIdx.y * 64;
    unsigned int x = threadIdx.x % 64, y = threadIdx.x / 64;

#pragma unroll
    for (unsigned int r = y; r < 64; r += 8)
        if (left + x < n && top + r < n)
            tile[r][x] = in[(top + r) * n + left + x];
    __syncthreads();

#pragma unroll
    for (unsigned int r = y; r < 64; r += 8)
        if (top + x < n && left + r < n)
            out[(left + r) * n + top + x] = tile[x][r];
}

/// Row and column change places.
__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    return in[i % n * n + i / n];
}
