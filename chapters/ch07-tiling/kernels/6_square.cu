//! Each thread computes a square of 8 x 8 elements: it reads eight words of a column and eight of a row, and
//! computes 64 multiply-adds with them. One shared load for four multiply-adds.
//!
//! 256 threads compute a tile of 128 x 128. The 64 sums per thread are in registers: that is the price of this
//! rung.
//!
//! Look at: *shared loads*; and at the registers, below the counters.
//@ input  a: float[n * n] = frac
//@ input  b: float[n * n] = frac2
//@ output c: float[n * n] = poison
//@ launch matmul(a, b, c, n) grid = ((n + 127) / 128, (n + 127) / 128), block = 256
//@ test 1, 5, 16, 17, 33, 64, 65, 127, 130
//@ page 128
//@ measure 1024, 2048, 4096
//@ bytes 12 * n * n
//@ flops 2 * n * n * n
//@ tolerance abs 1e-3
//@ differs fewer shared_load_wavefronts, shared_load_conflicts: the compiler reads four neighbours of 4 bytes by one access of 16 (2026-11-21)
//@ equivalent `<=` for `<` in `for (unsigned int first = 0; first < n; first += DEPTH) {`: where the depth is a whole number of tiles, one more tile of zeros is added

/// Element (row, col); zero beyond the edge.
__device__ float at(
    const float* x, unsigned int row, unsigned int col, unsigned int n) {
    return row < n && col < n ? x[row * n + col] : 0.0f;
}

const unsigned int SIDE = 128;  // of a block's tile
const unsigned int DEPTH = 8;   // how much of k at a time
const unsigned int MINE = 8;    // rows and columns per thread

extern "C" __global__ void __launch_bounds__(256) matmul(
    const float* a, const float* b, float* c, unsigned int n) {
    __shared__ float as[SIDE][DEPTH], bs[DEPTH][SIDE];
    unsigned int t = threadIdx.x;
    unsigned int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    unsigned int row = t / 16 * MINE, col = t % 16 * MINE;  // in the tile

    float sum[MINE][MINE] = {};
    for (unsigned int first = 0; first < n; first += DEPTH) {
#pragma unroll
        for (unsigned int i = t; i < SIDE * DEPTH; i += 256) {
            as[i / DEPTH][i % DEPTH] =
                at(a, top + i / DEPTH, first + i % DEPTH, n);
            bs[i / SIDE][i % SIDE] = at(b, first + i / SIDE, left + i % SIDE, n);
        }
        __syncthreads();
#pragma unroll
        for (unsigned int k = 0; k < DEPTH; k++) {
            float down[MINE], right[MINE];
#pragma unroll
            for (unsigned int i = 0; i < MINE; i++) {
                down[i] = as[row + i][k];
                right[i] = bs[k][col + i];
            }
#pragma unroll
            for (unsigned int r = 0; r < MINE; r++)
#pragma unroll
                for (unsigned int s = 0; s < MINE; s++)
                    sum[r][s] += down[r] * right[s];
        }
        __syncthreads();
    }

#pragma unroll
    for (unsigned int r = 0; r < MINE; r++)
#pragma unroll
        for (unsigned int s = 0; s < MINE; s++)
            if (top + row + r < n && left + col + s < n)
                c[(top + row + r) * n + left + col + s] = sum[r][s];
}

/// Row i / n of a times column i % n of b.
__host__ __device__ float expected(
    const float* a, const float* b, unsigned int n, unsigned int i) {
    unsigned int row = i / n, col = i % n;
    double sum = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += (double)a[row * n + k] * b[k * n + col];
    return (float)sum;
}
