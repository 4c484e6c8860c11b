//! The third rung as it is often shown, without a test for the edge. If n is a multiple of 16 nothing is wrong. At
//! 100 the last tiles reach beyond the edge: on the right into the next row, and below beyond the end of the
//! array.
//@ input  a: float[n * n] = frac
//@ input  b: float[n * n] = frac2
//@ output c: float[n * n] = poison
//@ launch matmul(a, b, c, n) grid = ((n + 15) / 16, (n + 15) / 16), block = (16, 16)
//@ test 100
//@ page 100
//@ bytes 12 * n * n
//@ tolerance abs 1e-3
//@ catch bounds

const unsigned int TILE = 16;

extern "C" __global__ void matmul(
    const float* a, const float* b, float* c, unsigned int n) {
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    unsigned int x = threadIdx.x, y = threadIdx.y;
    unsigned int row = blockIdx.y * TILE + y;
    unsigned int col = blockIdx.x * TILE + x;

    float sum = 0;
    for (unsigned int first = 0; first < n; first += TILE) {
        as[y][x] = a[row * n + first + x];  //~ bounds
        bs[y][x] = b[(first + y) * n + col];  //~ bounds
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
