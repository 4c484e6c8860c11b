//! The third rung, but threads outside the matrix return first, as they may in the first two rungs. A barrier does
//! not wait for threads that have returned. But the words that they should have loaded, of rows and columns that do
//! exist, are missing in the tiles.
//@ input  a: float[n * n] = frac
//@ input  b: float[n * n] = frac2
//@ output c: float[n * n] = poison
//@ launch matmul(a, b, c, n) grid = ((n + 15) / 16, (n + 15) / 16), block = (16, 16)
//@ test 40
//@ page 40
//@ bytes 12 * n * n
//@ tolerance abs 1e-3
//@ catch uninitialised

/// Element (row, col); zero beyond the edge.
__device__ float at(
    const float* x, unsigned int row, unsigned int col, unsigned int n) {
    return row < n && col < n ? x[row * n + col] : 0.0f;
}

const unsigned int TILE = 16;

extern "C" __global__ void matmul(
    const float* a, const float* b, float* c, unsigned int n) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    unsigned int x = threadIdx.x, y = threadIdx.y;
    unsigned int row = blockIdx.y * TILE + y;
    unsigned int col = blockIdx.x * TILE + x;

    if (row >= n || col >= n)
        return;

    float sum = 0;
    for (unsigned int first = 0; first < n; first += TILE) {
        as[y][x] = at(a, row, first + x, n);
        bs[y][x] = at(b, first + y, col, n);
        __syncthreads();
        for (unsigned int k = 0; k < TILE; k++)
            sum += as[y][k] * bs[k][x];  //~ uninitialised
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
