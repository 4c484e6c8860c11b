//! The machine instruction that `wmma` becomes, too (`HMMA`), by its PTX name `mma.sync`. It takes its operands from
//! registers of documented lanes, and `ldmatrix` loads four matrices of 8 by 8 from shared memory into just those
//! registers; `.trans` transposes them on the way, which `b` needs.
//!
//! `ldmatrix` reads eight rows of 16 bytes at a time. In a tile whose rows are a multiple of 128 bytes
//! long, all eight would lie in the same four banks. So the pieces of a row are *swizzled*: piece `p` of row
//! `r` stands at `p ^ r % 8`, and the eight lie in 32 banks. And the tiles come by `cp.async`, as in rung
//! 5, but two are in flight while a third is used.
//!
//! Look at: operations per second, beside those of the probe in chapter 9, which loads nothing. However it is
//! fed, this instruction cannot keep Hopper's tensor cores busy.
//@ let m = (n + 127) / 128 * 128
//@ input  a: bfloat16[m * m] = frac
//@ input  b: bfloat16[m * m] = frac2
//@ output c: bfloat16[m * m] = poison
//@ launch matmul(a, b, c, m) grid = (m / 128, m / 128), block = 128, shared = 3 * (128 + 128) * 128
//@ test 1, 257
//@ page 512
//@ measure 4096, 8192
//@ bytes 6 * m * m
//@ flops 2 * m * m * m
//@ tolerance abs 1e-2 rel 1e-2
//@ needs sm_80

#include <cuda_bf16.h>

using u32 = unsigned int;

const u32 ROWS = 128, COLUMNS = 128;  // of a block's tile
const u32 DEPTH = 64;                 // how much of k at a time
const u32 STAGES = 3;                 // tiles in shared memory
const u32 A_BYTES = ROWS * DEPTH * 2, B_BYTES = DEPTH * COLUMNS * 2;

/// Where piece `piece` of row `row` stands, in bytes, in rows of PIECES pieces.
template <u32 PIECES>
__device__ u32 place(u32 row, u32 piece) {
    return (row * PIECES + (piece ^ row % 8)) * 16;
}

/// Begins to copy 16 bytes to a place in shared memory.
__device__ void copy(u32 to, const __nv_bfloat16* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
}

/// Four matrices: lane l gives the address of a row, of matrix l / 8.
__device__ void load(u32 (&to)[4], u32 row) {
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
        : "r"(row)
        : "memory");
}

/// The same, turned over.
__device__ void load_turned(u32 (&to)[4], u32 row) {
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
        : "r"(row)
        : "memory");
}

/// d += a b, 16 by 8 by 16.
__device__ void multiply(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(128, 2) matmul(
    const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, u32 m) {
    extern __shared__ __align__(128) unsigned char memory[];
    u32 tiles = (u32)__cvta_generic_to_shared(memory);
    u32 t = threadIdx.x, warp = t / 32, lane = t % 32;
    u32 top = blockIdx.y * ROWS, left = blockIdx.x * COLUMNS;
    u32 row = warp / 2 * 64, col = warp % 2 * 64;  // a warp has 64 by 64

    auto begin = [&](u32 step) {
        if (step < m / DEPTH) {
            u32 to = tiles + step % STAGES * (A_BYTES + B_BYTES);
#pragma unroll
            for (u32 i = t; i < A_BYTES / 16; i += 128)
                copy(to + place<8>(i / 8, i % 8),
                     &a[(top + i / 8) * m + step * DEPTH + i % 8 * 8]);
#pragma unroll
            for (u32 i = t; i < B_BYTES / 16; i += 128)
                copy(to + A_BYTES + place<16>(i / 16, i % 16),
                     &b[(step * DEPTH + i / 16) * m + left + i % 16 * 8]);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };

    float sum[4][8][4] = {};
    for (u32 step = 0; step < STAGES - 1; step++)
        begin(step);
    for (u32 step = 0; step < m / DEPTH; step++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads();
        begin(step + STAGES - 1);
        u32 as = tiles + step % STAGES * (A_BYTES + B_BYTES), bs = as + A_BYTES;
#pragma unroll
        for (u32 k = 0; k < DEPTH; k += 16) {
            u32 x[4][4], y[4][4];
#pragma unroll
            for (u32 u = 0; u < 4; u++)
                load(x[u], as + place<8>(row + u * 16 + lane % 16, k / 8 + lane / 16));
#pragma unroll
            for (u32 v = 0; v < 4; v++)
                load_turned(y[v], bs + place<16>(k + lane % 16, col / 8 + v * 2 + lane / 16));
#pragma unroll
            for (u32 u = 0; u < 4; u++)
#pragma unroll
                for (u32 v = 0; v < 8; v++)
                    multiply(sum[u][v], x[u], y[v / 2][v % 2 * 2], y[v / 2][v % 2 * 2 + 1]);
        }
    }

    // A lane has two neighbours of one row, and two of the row eight further down.
#pragma unroll
    for (u32 u = 0; u < 4; u++)
#pragma unroll
        for (u32 v = 0; v < 8; v++)
#pragma unroll
            for (u32 half = 0; half < 2; half++) {
                u32 y = top + row + u * 16 + half * 8 + lane / 4;
                u32 x = left + col + v * 8 + lane % 4 * 2;
                *reinterpret_cast<__nv_bfloat162*>(&c[y * m + x]) =
                    __floats2bfloat162_rn(sum[u][v][half * 2], sum[u][v][half * 2 + 1]);
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
