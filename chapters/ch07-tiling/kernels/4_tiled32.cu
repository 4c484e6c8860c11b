//! A tile of 32 x 32, by 1024 threads: one constant and the launch have changed. Each word is used 32
//! times.
//!
//! Look at: *global load sectors*, which fall; *shared loads*, as many as before; and the time.
//@ input  a: float[n * n] = frac
//@ input  b: float[n * n] = frac2
//@ output c: float[n * n] = poison
//@ launch matmul(a, b, c, n) grid = ((n + 31) / 32, (n + 31) / 32), block = (32, 32)
//@ test 1, 5, 16, 17, 33, 64, 65, 127, 130
//@ page 128
//@ measure 1024, 2048, 4096
//@ bytes 12 * n * n
//@ flops 2 * n * n * n
//@ tolerance abs 1e-3
//@ differs fewer shared_load_wavefronts, shared_load_conflicts: the compiler reads four neighbours of 4 bytes by one access of 16 (2026-11-21)
//@ equivalent `<=` for `<` in `for (unsigned int first = 0; first < n; first += TILE) {`: where the depth is a whole number of tiles, one more tile of zeros is added

/// Element (row, col); zero beyond the edge.
__device__ float at(
    const float* x, unsigned int row, unsigned int col, unsigned int n) {
    return row < n && col < n ? x[row * n + col] : 0.0f;
}

const unsigned int TILE = 32;

extern "C" __global__ void matmul(
    const float* a, const float* b, float* c, unsigned int n) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    unsigned int x = threadIdx.x, y = threadIdx.y;
    unsigned int row = blockIdx.y * TILE + y;
    unsigned int col = blockIdx.x * TILE + x;

    float sum = 0;
    for (unsigned int first = 0; first < n; first += TILE) {
        as[y][x] = at(a, row, first + x, n);
        bs[y][x] = at(b, first + y, col, n);
        __syncthreads();
        for (unsigned int k = 0; k < TILE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }

    if (row < n && col < n)
        c[row * n + col] = sum;
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
