//! One persistent block per multiprocessor: when its tile is done it computes another. While the consumers store
//! one tile of `c`, the producer already loads the next, which did not happen between two blocks of the rung
//! before.
//!
//! The kernel chooses the order of the tiles. They are taken in bands of sixteen rows, down the band first, so that
//! the 132 tiles in flight at any time form a compact region, whose rows and columns are few enough to stay in the
//! second-level cache.
//!
//! Look at: 4096 and 8192, at both of which the factors together are larger than the cache.
//@ let m = (n + 255) / 256 * 256
//@ input  a: bfloat16[m * m] = frac
//@ input  b: bfloat16[m * m] = frac2
//@ output c: bfloat16[m * m] = poison
//@ map am: a (m, m) box (64, 128) swizzle 128
//@ map bm: b (m, m) box (64, 64) swizzle 128
//@ launch matmul(am, bm, c, m) grid = min(132, m / 256 * (m / 128)), block = 384, shared = 4 * (49152 + 16)
//@ test 1, 257
//@ page 512
//@ measure 4096, 8192
//@ bytes 6 * m * m
//@ flops 2 * m * m * m
//@ tolerance abs 1e-2 rel 1e-2
//@ needs sm_90
//@ equivalent `copy_box(a, &full[stage], as + stage * A_BYTES, step * DEPTH...` before `expect(&full[stage], A_BYTES + B_BYTES);` in `expect(&full[stage], A_BYTES + B_BYTES);`: the bytes may be there before they are announced: the phase waits for the arrival that announces them
//@ equivalent `store(c, d, place(at, m).x + group * 64, place(at, m).y, m);` before `if (threadIdx.x % 128 == 0) arrive(&empty[before]);` in `if (threadIdx.x % 128 == 0)`: the stage is only released later than it could be

#include <cuda_bf16.h>
#include "hopper.cuh"

const u32 ROWS = 128, COLUMNS = 256;  // of a block's tile
const u32 DEPTH = 64;                 // how much of k at a time
const u32 A_BYTES = ROWS * DEPTH * 2;
const u32 B_PART = DEPTH * 64 * 2;  // 64 columns of b
const u32 B_BYTES = COLUMNS / 64 * B_PART;
const u32 STAGES = 4;  // tiles in shared memory

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

const u32 BAND = 16;  // rows of tiles that are worked on together

/// The corner of tile number `at`: bands of rows, down the band first.
__device__ uint2 place(u32 at, u32 m) {
    u32 down = m / ROWS, across = m / COLUMNS;
    u32 band = at / (BAND * across) * BAND;
    u32 height = min(BAND, down - band);
    u32 within = at - band * across;
    return make_uint2((band + within % height) * ROWS, within / height * COLUMNS);
}

extern "C" __global__ void __launch_bounds__(384) matmul(
    const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
    __nv_bfloat16* c, u32 m) {
    extern __shared__ __align__(1024) unsigned char memory[];
    unsigned char *as = memory, *bs = memory + STAGES * A_BYTES;
    u64* full = reinterpret_cast<u64*>(bs + STAGES * B_BYTES);
    u64* empty = full + STAGES;
    u32 group = threadIdx.x / 128;
    u32 tiles = m / ROWS * (m / COLUMNS);

    if (threadIdx.x == 0) {
        for (u32 s = 0; s < STAGES; s++) {
            init(&full[s], 1);
            init(&empty[s], 2);  // the two consumers
        }
        init_done();
    }
    __syncthreads();

    u32 stage = 0, phase = 0;
    auto next = [&] {
        if (++stage == STAGES)
            stage = 0, phase ^= 1;
    };
    if (group == 2) {
        give_registers<40>();
        if (threadIdx.x % 128 != 0)
            return;
        for (u32 at = blockIdx.x; at < tiles; at += gridDim.x) {
            u32 top = place(at, m).x, left = place(at, m).y;
            for (u32 step = 0; step < m / DEPTH; step++, next()) {
                wait(&empty[stage], phase ^ 1);  // at first all are empty
                expect(&full[stage], A_BYTES + B_BYTES);
                copy_box(a, &full[stage], as + stage * A_BYTES, step * DEPTH, top);
                for (u32 j = 0; j < COLUMNS / 64; j++)
                    copy_box(
                        b, &full[stage], bs + stage * B_BYTES + j * B_PART,
                        left + j * 64, step * DEPTH);
            }
        }
    } else {
        take_registers<232>();
        for (u32 at = blockIdx.x; at < tiles; at += gridDim.x) {
            float d[128];
            u32 before = 0;
            for (u32 step = 0; step < m / DEPTH; step++, next()) {
                wait(&full[stage], phase);
                multiply_tile(
                    d, as + stage * A_BYTES + group * 64 * 128,
                    bs + stage * B_BYTES, step > 0);
                multiply_wait<1>();  // the step before is done
                if (step > 0 && threadIdx.x % 128 == 0)
                    arrive(&empty[before]);
                before = stage;
            }
            multiply_wait<0>();
            if (threadIdx.x % 128 == 0)
                arrive(&empty[before]);
            store(c, d, place(at, m).x + group * 64, place(at, m).y, m);
        }
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
