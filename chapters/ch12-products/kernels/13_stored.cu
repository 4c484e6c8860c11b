//! The kernel of the library `kernels`. It adds the store to the rung before: a tile of `c` goes through shared
//! memory, swizzled, with `stmatrix`, the inverse of `ldmatrix`. From there the TMA stores it, box by box, while the
//! consumers already compute the next tile.
//!
//! Look at: its place beside cuBLAS, in the experiment below.
//@ let m = (n + 255) / 256 * 256
//@ input  a: bfloat16[m * m] = frac
//@ input  b: bfloat16[m * m] = frac2
//@ output c: bfloat16[m * m] = poison
//@ map am: a (m, m) box (64, 128) swizzle 128
//@ map bm: b (m, m) box (64, 64) swizzle 128
//@ map cm: c (m, m) box (64, 64) swizzle 128
//@ launch kernels_matmul_16(am, bm, cm, c, m, m, m, m) grid = min(132, m / 256 * (m / 128)), block = 384, shared = 4 * (49152 + 16) + 2 * 2 * 8192
//@ test 1, 257
//@ page 512
//@ measure 4096, 8192
//@ bytes 6 * m * m
//@ flops 2 * m * m * m
//@ tolerance abs 1e-2 rel 1e-2
//@ needs sm_90
//@ differs noise shared_store_wavefronts, shared_store_conflicts: the pipeline is busy with other work, and some passes are repeated (2026-11-26)

#define TYPE "bf16"
#define BM 128  // the block's tile
#define BN 256
#define STAGES 4   // steps of 64 under way
#define CLUSTER 2  // blocks that share their columns of b
#define CHUNKS 2   // 64 columns each that are stored at a time
#define TMA_STORE 1
#define BAND 8  // rows of pairs of tiles that are worked on together
#include <cuda_bf16.h>
#include "matmul_hopper.cuh"

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
