//! Two new features of Hopper. A *tensor map* describes an array, and the TMA then copies boxes of it: one
//! thread starts a copy, no thread computes an address, and the data arrive swizzled. And `wgmma` lets four
//! warps together multiply 64 by 256 by 16 from shared memory: no `ldmatrix`, and no registers for the
//! operands.
//!
//! Here is the smallest kernel that works. One thread starts the copy of a tile, all wait, two warp groups
//! multiply, all wait. The mbarrier counts bytes: its phase completes when all announced bytes have arrived.
//!
//! Look at: how little a thread does, and how long it waits.
//@ let m = (n + 255) / 256 * 256
//@ input  a: bfloat16[m * m] = frac
//@ input  b: bfloat16[m * m] = frac2
//@ output c: bfloat16[m * m] = poison
//@ map am: a (m, m) box (64, 128) swizzle 128
//@ map bm: b (m, m) box (64, 64) swizzle 128
//@ launch matmul(am, bm, c, m) grid = (m / 256, m / 128), block = 256, shared = 49152 + 8
//@ test 1, 257
//@ page 512
//@ measure 4096, 8192
//@ bytes 6 * m * m
//@ sass
//@ flops 2 * m * m * m
//@ tolerance abs 1e-2 rel 1e-2
//@ needs sm_90
//@ equivalent `copy_box(a, full, as, step * DEPTH, top);` before `expect(full, A_BYTES + B_BYTES);` in `expect(full, A_BYTES + B_BYTES);`: the bytes may be there before they are announced: the phase waits for the arrival that announces them

#include <cuda_bf16.h>
#include "hopper.cuh"

const u32 ROWS = 128, COLUMNS = 256;  // of a block's tile
const u32 DEPTH = 64;                 // how much of k at a time
const u32 A_BYTES = ROWS * DEPTH * 2;
const u32 B_PART = DEPTH * 64 * 2;  // 64 columns of b
const u32 B_BYTES = COLUMNS / 64 * B_PART;

/// A warp group's 64 rows of c, from the registers where the tensor cores left them: a lane has two
/// neighbours of one row, and two of the row eight further down.
__device__ void store(
    __nv_bfloat16* c, const float (&d)[128], u32 top, u32 left, u32 m) {
    u32 thread = threadIdx.x % 128;
    u32 y = top + thread / 32 * 16 + thread % 32 / 4;
    u32 x = left + thread % 4 * 2;
#pragma unroll
    for (u32 j = 0; j < COLUMNS / 8; j++)
#pragma unroll
        for (u32 half = 0; half < 2; half++)
            *reinterpret_cast<__nv_bfloat162*>(
                &c[(y + half * 8) * m + x + j * 8]) =
                __floats2bfloat162_rn(d[j * 4 + half * 2], d[j * 4 + half * 2 + 1]);
}

/// Begins to multiply what a stage holds: 64 rows of a by 256 columns of b, four times 16 of k.
__device__ void multiply_tile(
    float (&d)[128], const unsigned char* a, const unsigned char* b, bool keep) {
    u64 a_at = describe(a, 16), b_at = describe(b, B_PART);
    multiply_begin();
#pragma unroll
    for (u32 i = 0; i < DEPTH / 16; i++)
        multiply(d, a_at + i * 2, b_at + i * 128, keep || i > 0);
    multiply_commit();
}

extern "C" __global__ void __launch_bounds__(256) matmul(
    const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
    __nv_bfloat16* c, u32 m) {
    extern __shared__ __align__(1024) unsigned char memory[];
    unsigned char *as = memory, *bs = memory + A_BYTES;
    u64* full = reinterpret_cast<u64*>(bs + B_BYTES);
    u32 group = threadIdx.x / 128;
    u32 top = blockIdx.y * ROWS, left = blockIdx.x * COLUMNS;

    if (threadIdx.x == 0) {
        init(full, 1);
        init_done();
    }
    __syncthreads();

    float d[128];
    for (u32 step = 0; step < m / DEPTH; step++) {
        if (threadIdx.x == 0) {
            expect(full, A_BYTES + B_BYTES);
            copy_box(a, full, as, step * DEPTH, top);
            for (u32 j = 0; j < COLUMNS / 64; j++)
                copy_box(b, full, bs + j * B_PART, left + j * 64, step * DEPTH);
        }
        wait(full, step % 2);
        multiply_tile(d, as + group * 64 * 128, bs, step > 0);
        multiply_wait<0>();
        __syncthreads();  // all are done with the tile
    }
    store(c, d, top + group * 64, left, m);
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
