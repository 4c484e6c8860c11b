//! The kernel of the library `kernels`, as it is: this file only chooses its constants. A block has 128 by
//! 256 with eight warps, a thread 8 by 16, so that nearly all of its instructions are multiply-adds. A step
//! is 16 deep: two are on their way while a third is used. The words of the next `k` travel from shared
//! memory to registers while this one's are multiplied. And the tiles are worked on in bands of eight rows,
//! so that blocks that run at the same time find each other's rows and columns in the second-level cache.
//!
//! The numbers were found by trying. No rule says 16 and three.
//!
//! Look at: the registers and the shared memory. One block fills the multiprocessor. The counters are
//! for n = 128. There the wider tile makes this kernel multiply matrices of 256 × 256, eight times the work of the rung
//! before: divide its loads by eight to compare them, and its stores,
//! of which there is one per element, by four.
//@ let m = (n + 255) / 256 * 256
//@ input  a: float[m * m] = frac
//@ input  b: float[m * m] = frac2
//@ output c: float[m * m] = poison
//@ launch kernels_matmul_f32(a, b, c, m, m, m, m, m, m) grid = m / 128 * (m / 256), block = 256, shared = 3 * 16 * (128 + 4 + 256) * 4
//@ test 1
//@ page 128
//@ measure 2048, 4096, 8192
//@ bytes 12 * m * m
//@ flops 2 * m * m * m
//@ tolerance abs 1e-3 rel 1e-4
//@ needs sm_90
//@ differs noise shared_load_wavefronts, shared_load_conflicts: the pipeline is busy with other work, and some passes are repeated (2026-11-29)

#define BM 128  // the block's tile
#define BN 256
#define BK 16     // the depth of a step
#define STAGES 3  // steps under way
#define WM 32     // a warp's tile
#define WN 128
#define TM 8  // a thread's
#define TN 16
#define LY 4  // how a warp's threads stand
#define LX 8
#define VECTOR 4  // rows begin at multiples of 16 bytes
#define BAND 8    // rows of tiles that are worked on together
#define BLOCKS 1
#include "matmul_f32.cuh"

/// Row i / m of a times column i % m of b.
__host__ __device__ float expected(
    const float* a, const float* b, unsigned int m, unsigned int i) {
    unsigned int row = i / m, col = i % m;
    double sum = 0;
    for (unsigned int k = 0; k < m; k++)
        sum += (double)a[row * m + k] * b[k * m + col];
    return (float)sum;
}
