//! A matrix product on the ordinary cores: `n` by `n`, single precision, as in chapter 7. A block
//! computes a tile of 128 by 128, a thread eight by eight of it in registers.
//!
//! `n` counts tiles per side, so that no tile is cut.
//!
//! Look at: operations per second, beside the next file's.
//@ let m = 128 * n
//@ input  a: float[m * m] = frac
//@ input  b: float[m * m] = frac2
//@ output c: float[m * m] = poison
//@ launch product(a, b, c, m) grid = (n, n), block = 256
//@ test 1, 2
//@ page 1
//@ measure 32
//@ bytes 12 * m * m
//@ flops 2 * m * m * m
//@ tolerance abs 1e-3 rel 1e-3
//@ differs fewer shared_load_wavefronts, shared_load_conflicts: the compiler reads four neighbours of 4 bytes by one access of 16 (2026-11-21)

extern "C" __global__ void __launch_bounds__(256)
product(const float* a, const float* b, float* c, unsigned int m) {
    __shared__ __align__(16) float as[8][128];  // the tile of a, transposed
    __shared__ __align__(16) float bs[8][128];
    unsigned int t = threadIdx.x;
    unsigned int row = blockIdx.y * 128, column = blockIdx.x * 128;
    // Eight rows; four columns, and four more 64 further on.
    unsigned int ty = t / 16 * 8, tx = t % 16 * 4;

    float sum[8][8] = {};
    for (unsigned int k = 0; k < m; k += 8) {
        unsigned int r = t / 2, s = t % 2 * 4;
        float4 v = *reinterpret_cast<const float4*>(
            &a[(row + r) * m + k + s]);
        as[s][r] = v.x;
        as[s + 1][r] = v.y;
        as[s + 2][r] = v.z;
        as[s + 3][r] = v.w;
        float4 w = *reinterpret_cast<const float4*>(
            &b[(k + t / 32) * m + column + t % 32 * 4]);
        *reinterpret_cast<float4*>(&bs[t / 32][t % 32 * 4]) = w;
        __syncthreads();
#pragma unroll
        for (unsigned int j = 0; j < 8; j++) {
            float x[8], y[8];
#pragma unroll
            for (unsigned int u = 0; u < 8; u++) {
                x[u] = as[j][ty + u];
                y[u] = bs[j][tx + u % 4 + u / 4 * 64];
            }
#pragma unroll
            for (unsigned int u = 0; u < 8; u++)
#pragma unroll
                for (unsigned int v = 0; v < 8; v++)
                    sum[u][v] += x[u] * y[v];
        }
        __syncthreads();
    }
#pragma unroll
    for (unsigned int u = 0; u < 8; u++)
#pragma unroll
        for (unsigned int v = 0; v < 8; v++)
            c[(row + ty + u) * m + column + tx + v % 4 + v / 4 * 64] =
                sum[u][v];
}

__host__ __device__ float expected(
    const float* a, const float* b, unsigned int m, unsigned int i) {
    float sum = 0.0f;
    for (unsigned int k = 0; k < m; k++)
        sum += a[i / m * m + k] * b[k * m + i % m];
    return sum;
}
