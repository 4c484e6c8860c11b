//! A rung of chapter 7 once more: a block has a tile of 128 by 128, a thread a square of 8 by 8 in
//! registers. The tile of `a` is transposed in shared memory, so that a thread's eight words are
//! adjacent. The test for the edge is left out: the sides of all matrices in this chapter are multiples
//! of the tile.
//!
//! Look at: *shared load wavefronts*. Lanes whose words are eight apart access the same banks.
//! Such a load takes several passes.
//@ let m = (n + 127) / 128 * 128
//@ input  a: float[m * m] = frac
//@ input  b: float[m * m] = frac2
//@ output c: float[m * m] = poison
//@ launch matmul(a, b, c, m) grid = (m / 128, m / 128), block = 256
//@ test 1, 129, 256
//@ page 128
//@ measure 2048, 4096, 8192
//@ bytes 12 * m * m
//@ flops 2 * m * m * m
//@ tolerance abs 1e-3 rel 1e-4
//@ differs fewer shared_load_wavefronts, shared_load_conflicts: the compiler reads four neighbours of 4 bytes by one access of 16 (2026-11-21)

const unsigned int SIDE = 128;  // of a block's tile
const unsigned int DEPTH = 8;   // how much of k at a time
const unsigned int MINE = 8;    // rows and columns of a thread

extern "C" __global__ void __launch_bounds__(256) matmul(
    const float* a, const float* b, float* c, unsigned int m) {
    __shared__ float as[DEPTH][SIDE];  // the tile of a, transposed
    __shared__ float bs[DEPTH][SIDE];
    unsigned int t = threadIdx.x;
    unsigned int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    unsigned int row = t / 16 * MINE, col = t % 16 * MINE;  // in the tile

    float sum[MINE][MINE] = {};
    for (unsigned int first = 0; first < m; first += DEPTH) {
#pragma unroll
        for (unsigned int i = t; i < DEPTH * SIDE; i += 256) {
            as[i % DEPTH][i / DEPTH] =
                a[(top + i / DEPTH) * m + first + i % DEPTH];
            bs[i / SIDE][i % SIDE] =
                b[(first + i / SIDE) * m + left + i % SIDE];
        }
        __syncthreads();
#pragma unroll
        for (unsigned int k = 0; k < DEPTH; k++) {
            float down[MINE], right[MINE];
#pragma unroll
            for (unsigned int i = 0; i < MINE; i++) {
                down[i] = as[k][row + i];
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
            c[(top + row + r) * m + left + col + s] = sum[r][s];
}

/// Row i / m of a times column i % m of b.
__host__ __device__ float expected(
    const float* a, const float* b, unsigned int m, unsigned int i) {
    unsigned int row = i / m, col = i % m;
    double sum = 0;
    for (unsigned int k = 0; k < m; k++)
        sum += (double)a[row * m + k] * b[k * m + col];
    return (float)sum;
}
