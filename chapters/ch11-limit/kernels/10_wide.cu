//! Four floats per lane, for loads and for stores; sixteen lanes cover a row of the tile. In shared memory the words go
//! one by one: a row of 65 words is not aligned to 16 bytes, and the words of a vector of the result are in four rows. A
//! row of the matrix must begin at a multiple of 16 bytes, so n must be a multiple of four.
//!
//! Look at: *global load requests*, which fall; and *shared load conflicts*, which have come back.
//@ input in: float[n * n] = frac
//@ output out: float[n * n] = poison
//@ let tiles = (n + 63) / 64
//@ launch transpose(in, out, n) grid = (tiles, tiles), block = 512
//@ test 4, 32, 36, 60, 64, 68, 100, 260
//@ page 512
//@ measure 16384
//@ bytes 8 * n * n
//@ differs more global_store_requests, global_store_sectors: the compiler makes a store of 16 bytes four of 4 (2026-11-21)

extern "C" __global__ void transpose(const float* in, float* out, unsigned int n) {
    __shared__ float tile[64][65];
    unsigned int left = blockIdx.x * 64, top = blockIdx.y * 64;
    unsigned int x = threadIdx.x % 16 * 4, y = threadIdx.x / 16;

#pragma unroll
    for (unsigned int r = y; r < 64; r += 32)
        if (left + x < n && top + r < n) {
            float4 v = *reinterpret_cast<const float4*>(in + (top + r) * n + left + x);
            tile[r][x] = v.x;
            tile[r][x + 1] = v.y;
            tile[r][x + 2] = v.z;
            tile[r][x + 3] = v.w;
        }
    __syncthreads();

#pragma unroll
    for (unsigned int r = y; r < 64; r += 32)
        if (top + x < n && left + r < n) {
            float4 v = make_float4(tile[x][r], tile[x + 1][r], tile[x + 2][r], tile[x + 3][r]);
            *reinterpret_cast<float4*>(out + (left + r) * n + top + x) = v;
        }
}

/// Row and column change places.
__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    return in[i % n * n + i / n];
}
