//! The first tensor-core version, with the tile of chapter 9: fragments of 16 by 16, and one `mma_sync` for 4,096
//! multiplications of a warp. The inputs and the product are `bfloat16`: seven stored bits of mantissa and the range of
//! a float. The sums are floats. The layout of a fragment in registers is unspecified, so the sums go through shared
//! memory once more to be converted.
//!
//! Look at: operations per second, beside the best rung without tensor cores.
//@ let m = (n + 127) / 128 * 128
//@ input  a: bfloat16[m * m] = frac
//@ input  b: bfloat16[m * m] = frac2
//@ output c: bfloat16[m * m] = poison
//@ launch matmul(a, b, c, m) grid = (m / 128, m / 128), block = 256
//@ test 1, 257
//@ page 512
//@ measure 4096, 8192
//@ bytes 6 * m * m
//@ flops 2 * m * m * m
//@ tolerance abs 1e-2 rel 1e-2
//@ needs sm_80
//@ differs fewer shared_load_wavefronts, shared_load_conflicts: the compiler reads four neighbours of 4 bytes by one access of 16 (2026-11-26)

#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;
using Left = wmma::fragment<
    wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major>;
using Right = wmma::fragment<
    wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

const unsigned int SIDE = 128;  // of a block's tile
const unsigned int DEPTH = 32;  // how much of k at a time

// Rows of the tiles are 16 bytes longer than they need to be, which puts them into different banks.
const unsigned int A_ROW = DEPTH + 8, B_ROW = SIDE + 8;

extern "C" __global__ void __launch_bounds__(256) matmul(
    const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c,
    unsigned int m) {
    __shared__ __align__(32) __nv_bfloat16 as[SIDE * A_ROW];
    __shared__ __align__(32) __nv_bfloat16 bs[DEPTH * B_ROW];
    __shared__ __align__(32) float out[8][16 * 16];  // one fragment a warp
    unsigned int t = threadIdx.x, warp = t / 32, lane = t % 32;
    unsigned int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    unsigned int row = warp / 4 * 64, col = warp % 4 * 32;  // in the tile

    Sum sum[4][2];
    for (unsigned int u = 0; u < 4; u++)
        for (unsigned int v = 0; v < 2; v++)
            wmma::fill_fragment(sum[u][v], 0.0f);

    for (unsigned int first = 0; first < m; first += DEPTH) {
        // Eight bfloats at a time: 512 vectors per tile, two per thread.
#pragma unroll
        for (unsigned int i = t; i < 512; i += 256) {
            *reinterpret_cast<int4*>(&as[i / 4 * A_ROW + i % 4 * 8]) =
                *reinterpret_cast<const int4*>(
                    &a[(top + i / 4) * m + first + i % 4 * 8]);
            *reinterpret_cast<int4*>(&bs[i / 16 * B_ROW + i % 16 * 8]) =
                *reinterpret_cast<const int4*>(
                    &b[(first + i / 16) * m + left + i % 16 * 8]);
        }
        __syncthreads();
#pragma unroll
        for (unsigned int k = 0; k < DEPTH; k += 16) {
            Left x[4];
            Right y[2];
            for (unsigned int u = 0; u < 4; u++)
                wmma::load_matrix_sync(
                    x[u], &as[(row + 16 * u) * A_ROW + k], A_ROW);
            for (unsigned int v = 0; v < 2; v++)
                wmma::load_matrix_sync(
                    y[v], &bs[k * B_ROW + col + 16 * v], B_ROW);
            for (unsigned int u = 0; u < 4; u++)
                for (unsigned int v = 0; v < 2; v++)
                    wmma::mma_sync(sum[u][v], x[u], y[v], sum[u][v]);
        }
        __syncthreads();
    }

    for (unsigned int u = 0; u < 4; u++)
        for (unsigned int v = 0; v < 2; v++) {
            wmma::store_matrix_sync(
                out[warp], sum[u][v], 16, wmma::mem_row_major);
            __syncwarp();
            __align__(16) __nv_bfloat16 eight[8];
            for (unsigned int i = 0; i < 8; i++)
                eight[i] = __float2bfloat16(out[warp][lane * 8 + i]);
            unsigned int y = top + row + 16 * u + lane / 2;
            unsigned int x = left + col + 16 * v + lane % 2 * 8;
            *reinterpret_cast<int4*>(&c[y * m + x]) =
                *reinterpret_cast<const int4*>(eight);
            __syncwarp();
        }
}

/// Row i / m of a times column i % m of b.
__host__ __device__ __nv_bfloat16 expected(
    const __nv_bfloat16* a, const __nv_bfloat16* b, unsigned int m,
    unsigned int i) {
    unsigned int row = i / m, col = i % m;
    float sum = 0;
    for (unsigned int k = 0; k < m; k++)
        sum += __bfloat162float(a[row * m + k]) *
               __bfloat162float(b[k * m + col]);
    return __float2bfloat16(sum);
}
