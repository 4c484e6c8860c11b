//! How fast are the tensor cores themselves? Each warp holds two fragments of ones and multiplies
//! them again and again, into four sums that do not wait for each other. Nothing is loaded in
//! between.
//!
//! `n` counts warps. Each multiplication adds 16 to every number of its sum.
//!
//! Look at: operations per second; divided by the number of tensor cores and by the clock rate, they
//! are the operations of one tensor core per cycle.
//@ let rounds = 1024
//@ input  ones: half[256] = one
//@ output out: float[256 * n] = poison
//@ launch rate(ones, out, n, rounds) grid = (n + 7) / 8, block = 256
//@ test 1, 7, 8, 9
//@ page 16
//@ measure 2^13
//@ bytes 1024 * n
//@ flops 4 * 8192 * n * rounds
//@ needs sm_80

#include "cuda_fp16.h"
#include <mma.h>

using namespace nvcuda;
using Left = wmma::fragment<
    wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using Right = wmma::fragment<
    wmma::matrix_b, 16, 16, 16, __half, wmma::row_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

extern "C" __global__ void __launch_bounds__(256)
rate(const __half* ones, float* out, unsigned int n, int rounds) {
    unsigned int warp = blockIdx.x * 8 + threadIdx.x / 32;
    if (warp >= n)
        return;  // the whole warp, or none of it

    Left a;
    Right b;
    wmma::load_matrix_sync(a, ones, 16);
    wmma::load_matrix_sync(b, ones, 16);
    Sum sum[4];
    for (int u = 0; u < 4; u++)
        wmma::fill_fragment(sum[u], 0.0f);

    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int u = 0; u < 4; u++)
            wmma::mma_sync(sum[u], a, b, sum[u]);

    for (int u = 1; u < 4; u++)
        for (int e = 0; e < sum[0].num_elements; e++)
            sum[0].x[e] += sum[u].x[e];
    wmma::store_matrix_sync(
        &out[256 * warp], sum[0], 16, wmma::mem_row_major);
}

__host__ __device__ float expected(int rounds, unsigned int i) {
    return 4.0f * 16.0f * (float)rounds;
}
