//! Not every matrix is a square. `a` has `rows` rows and `depth` columns, `b` has `depth` rows and
//! `cols` columns, and no two of the three need be equal. The third rung, with three numbers where it
//! had one.
//@ let rows = n + 7
//@ let depth = n / 2 + 3
//@ let cols = 2 * n + 1
//@ input  a: float[rows * depth] = frac
//@ input  b: float[depth * cols] = frac2
//@ output c: float[rows * cols] = poison
//@ launch matmul(a, b, c, rows, cols, depth) grid = ((cols + 15) / 16, (rows + 15) / 16), block = (16, 16)
//@ test 1, 5, 9, 16, 17, 26, 33, 64, 65
//@ page 64
//@ bytes 4 * (rows * depth + depth * cols + rows * cols)
//@ flops 2 * rows * cols * depth
//@ tolerance abs 1e-3
//@ equivalent `<=` for `<` in `for (unsigned int first = 0; first < depth; first += TILE) {`: where the depth is a whole number of tiles, one more tile of zeros is added

const unsigned int TILE = 16;

/// Element (row, col) of a matrix with so many rows and columns; zero beyond them.
__device__ float at(
    const float* x, unsigned int row, unsigned int col, unsigned int rows,
    unsigned int cols) {
    return row < rows && col < cols ? x[row * cols + col] : 0.0f;
}

extern "C" __global__ void matmul(
    const float* a, const float* b, float* c,
    unsigned int rows, unsigned int cols, unsigned int depth) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    unsigned int x = threadIdx.x, y = threadIdx.y;
    unsigned int row = blockIdx.y * TILE + y;
    unsigned int col = blockIdx.x * TILE + x;

    float sum = 0;
    for (unsigned int first = 0; first < depth; first += TILE) {
        as[y][x] = at(a, row, first + x, rows, depth);
        bs[y][x] = at(b, first + y, col, depth, cols);
        __syncthreads();
        for (unsigned int k = 0; k < TILE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }

    if (row < rows && col < cols)
        c[row * cols + col] = sum;
}

/// Row i / cols of a times column i % cols of b.
__host__ __device__ float expected(
    const float* a, const float* b, unsigned int cols, unsigned int depth,
    unsigned int i) {
    unsigned int row = i / cols, col = i % cols;
    double sum = 0;
    for (unsigned int k = 0; k < depth; k++)
        sum += (double)a[row * depth + k] * b[k * cols + col];
    return (float)sum;
}
