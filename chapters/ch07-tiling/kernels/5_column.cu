//! Each thread computes eight elements, one above the other. A word of `b` that it has loaded from shared
//! memory into a register is used eight times: nine shared loads for eight multiply-adds, where it was two for
//! one.
//!
//! Look at: *shared loads*, which fall; and the time.
//@ input  a: float[n * n] = frac
//@ input  b: float[n * n] = frac2
//@ output c: float[n * n] = poison
//@ launch matmul(a, b, c, n) grid = ((n + 63) / 64, (n + 63) / 64), block = 512
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

const unsigned int ROWS = 64, COLS = 64;  // of a block's tile
const unsigned int DEPTH = 8;             // how much of k at a time
const unsigned int MINE = 8;              // rows per thread

extern "C" __global__ void matmul(
    const float* a, const float* b, float* c, unsigned int n) {
    __shared__ float as[ROWS][DEPTH], bs[DEPTH][COLS];
    unsigned int t = threadIdx.x;
    unsigned int top = blockIdx.y * ROWS, left = blockIdx.x * COLS;
    unsigned int row = t / COLS * MINE, col = t % COLS;  // in the tile

    float sum[MINE] = {};
    for (unsigned int first = 0; first < n; first += DEPTH) {
        as[t / DEPTH][t % DEPTH] = at(a, top + t / DEPTH, first + t % DEPTH, n);
        bs[t / COLS][t % COLS] = at(b, first + t / COLS, left + t % COLS, n);
        __syncthreads();
        for (unsigned int k = 0; k < DEPTH; k++) {
            float right = bs[k][col];
            for (unsigned int r = 0; r < MINE; r++)
                sum[r] += as[row + r][k] * right;
        }
        __syncthreads();
    }

    for (unsigned int r = 0; r < MINE; r++)
        if (top + row + r < n && left + col < n)
            c[(top + row + r) * n + left + col] = sum[r];
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
