//! The same product on the tensor cores. The inputs are halves, the sums are floats. A block computes a tile of 128
//! by 128 with eight warps, a warp 64 by 32 of it: four by two *fragments* of 16 by 16, distributed over the
//! registers of its lanes. Their layout is unspecified.
//!
//! One `mma_sync` multiplies two fragments and adds the product to a third: 4,096 multiplications by all lanes of the
//! warp together.
//!
//! Look at: operations per second, beside the file before.
//@ let m = 128 * n
//@ input  a: half[m * m] = frac
//@ input  b: half[m * m] = frac2
//@ output c: float[m * m] = poison
//@ launch product(a, b, c, m) grid = (n, n), block = 256
//@ test 1, 2, 3
//@ page 4
//@ measure 32
//@ bytes 8 * m * m
//@ flops 2 * m * m * m
//@ tolerance abs 1e-2 rel 1e-3
//@ differs noise shared_store_wavefronts, shared_store_conflicts: the pipeline is busy with other work, and some passes are repeated (2026-11-26)
//@ needs sm_80

#include "cuda_fp16.h"
#include <mma.h>

using namespace nvcuda;
using Left = wmma::fragment<
    wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using Right = wmma::fragment<
    wmma::matrix_b, 16, 16, 16, __half, wmma::row_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

// Rows of the tiles in shared memory, a little longer than they need to be: 16 bytes more put the
// rows into different banks.
constexpr unsigned int A_ROW = 32 + 8, B_ROW = 128 + 8;

extern "C" __global__ void __launch_bounds__(256)
product(const __half* a, const __half* b, float* c, unsigned int m) {
    __shared__ __align__(32) __half as[128 * A_ROW];
    __shared__ __align__(32) __half bs[32 * B_ROW];
    unsigned int t = threadIdx.x, warp = t / 32;
    unsigned int row = blockIdx.y * 128, column = blockIdx.x * 128;
    // This warp's part of the tile.
    unsigned int wy = warp / 4 * 64, wx = warp % 4 * 32;

    Sum sum[4][2];
    for (unsigned int u = 0; u < 4; u++)
        for (unsigned int v = 0; v < 2; v++)
            wmma::fill_fragment(sum[u][v], 0.0f);

    for (unsigned int k = 0; k < m; k += 32) {
        // Eight halves at a time: 512 vectors per tile, two per thread.
#pragma unroll
        for (unsigned int q = t; q < 512; q += 256) {
            unsigned int r = q / 4, s = q % 4 * 8;
            *reinterpret_cast<int4*>(&as[r * A_ROW + s]) =
                *reinterpret_cast<const int4*>(&a[(row + r) * m + k + s]);
            r = q / 16, s = q % 16 * 8;
            *reinterpret_cast<int4*>(&bs[r * B_ROW + s]) =
                *reinterpret_cast<const int4*>(
                    &b[(k + r) * m + column + s]);
        }
        __syncthreads();
#pragma unroll
        for (unsigned int j = 0; j < 32; j += 16) {
            Left x[4];
            Right y[2];
            for (unsigned int u = 0; u < 4; u++)
                wmma::load_matrix_sync(
                    x[u], &as[(wy + 16 * u) * A_ROW + j], A_ROW);
            for (unsigned int v = 0; v < 2; v++)
                wmma::load_matrix_sync(
                    y[v], &bs[j * B_ROW + wx + 16 * v], B_ROW);
            for (unsigned int u = 0; u < 4; u++)
                for (unsigned int v = 0; v < 2; v++)
                    wmma::mma_sync(sum[u][v], x[u], y[v], sum[u][v]);
        }
        __syncthreads();
    }
    for (unsigned int u = 0; u < 4; u++)
        for (unsigned int v = 0; v < 2; v++)
            wmma::store_matrix_sync(
                &c[(row + wy + 16 * u) * m + column + wx + 16 * v],
                sum[u][v], m, wmma::mem_row_major);
}

__host__ __device__ float expected(
    const __half* a, const __half* b, unsigned int m, unsigned int i) {
    float sum = 0.0f;
    for (unsigned int k = 0; k < m; k++)
        sum += __half2float(a[i / m * m + k]) * __half2float(b[k * m + i % m]);
    return sum;
}
