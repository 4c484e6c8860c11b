// c = a b on Hopper's tensor cores: 16-bit floats, accumulated in single precision. a is m x k, b is
// k x n, c is m x n, all row-major, described by tensor maps.
//
// Constants: TYPE "bf16" or "f16"; BM x BN the block's tile of c, BM = 64 CONSUMERS; STAGES the steps
// of k under way; CLUSTER blocks that share their part of b; CHUNKS of 64 columns that are stored at a
// time; TMA_STORE whether c's rows allow the bulk copy; BAND, rows of tiles that are worked on
// together.
//
// Roles. One warp group has a single thread at work: it asks the TMA for tiles. The other
// groups multiply, 64 rows each. They meet at two barriers for each stage: `full`, which the copy
// engine completes when all bytes are there, and `empty`, which every consumer of every block of the
// cluster passes when it is done with the stage. The blocks of a cluster have the same columns, so
// each asks for a part of b's tile and has it delivered to all.
//
// A block stays on its multiprocessor and goes from tile to tile; while its consumers store one tile
// of c, the TMA already fills the stages for the next.
//
// Shared memory lies as the TMA swizzles it: rows of 128 bytes, in which the 16-byte pieces of
// row r stand at place ^ (r % 8). a's tile is such rows of 64 k; b's is CHUNKs of 64 columns, rows of k;
// so `wgmma` reads a along k and b along n, and nothing is turned over.

#include "hopper.cuh"

const u32 BK = 64;
const u32 CONSUMERS = BM / 64;
const u32 A_BYTES = BM * BK * 2;
const u32 B_CHUNK = BK * 128;  // bytes of 64 columns
const u32 B_BYTES = BN / 64 * B_CHUNK;
const u32 C_CHUNK = 64 * 128;  // bytes of 64 rows of 64 columns
const u32 C_BYTES = TMA_STORE ? CHUNKS * C_CHUNK : 0;  // for each consumer

// Over the threads of one consumer.
__device__ __forceinline__ void group_sync(u32 group) {
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
}

__device__ __forceinline__ u32 pack(float low, float high) {
    u32 both;
    asm("cvt.rn." TYPE "x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

// Four 8 x 8 matrices of 16-bit numbers from a warp's registers into shared memory.
__device__ __forceinline__ void store_matrices(void* row, u32 a, u32 b, u32 c, u32 d) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address(row)), "r"(a), "r"(b), "r"(c), "r"(d)
                 : "memory");
}

struct Place {
    u32 top, left;
};

// Tile number `at` of the cluster: bands of rows, down the band first.
__device__ __forceinline__ Place place(u32 at, u32 down, u32 across) {
    u32 band = at / (BAND * across) * BAND;
    u32 height = min((u32)BAND, down - band);
    u32 within = at - band * across;
    return Place{(band + within % height) * BM * CLUSTER, within / height * BN};
}

extern "C" __global__ void
#if CLUSTER > 1
__cluster_dims__(CLUSTER, 1, 1)
#endif
__launch_bounds__((CONSUMERS + 1) * 128, 1) kernels_matmul_16(
    const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
    const __grid_constant__ TensorMap c, unsigned short* plain_c, u64 ldc, u32 m, u32 n, u32 k) {
    extern __shared__ __align__(1024) unsigned char memory[];
    unsigned char* a_tiles = memory;
    unsigned char* b_tiles = a_tiles + STAGES * A_BYTES;
    unsigned char* c_tiles = b_tiles + STAGES * B_BYTES;
    u64* full = reinterpret_cast<u64*>(c_tiles + CONSUMERS * C_BYTES);
    u64* empty = full + STAGES;

    u32 group = threadIdx.x / 128, rank = blockIdx.x % CLUSTER;
    u32 down = (m + BM * CLUSTER - 1) / (BM * CLUSTER), across = (n + BN - 1) / BN;
    u32 tiles = down * across, steps = (k + BK - 1) / BK;
    u32 first = blockIdx.x / CLUSTER, stride = gridDim.x / CLUSTER;

    if (threadIdx.x == 0) {
        for (u32 s = 0; s < STAGES; s++) {
            init(&full[s], 1);
            init(&empty[s], CONSUMERS * CLUSTER);
        }
        init_done();
    }
    cluster_sync();

    u32 stage = 0, phase = 0;
    if (group == CONSUMERS) {
        give_registers<CONSUMERS == 1 ? 56 : 40>();
        if (threadIdx.x == CONSUMERS * 128) {
            for (u32 at = first; at < tiles; at += stride) {
                Place p = place(at, down, across);
                for (u32 step = 0; step < steps; step++) {
                    wait(&empty[stage], phase ^ 1);
                    expect(&full[stage], A_BYTES + B_BYTES);
                    copy_box(a, &full[stage], a_tiles + stage * A_BYTES, step * BK, p.top + rank * BM);
#pragma unroll
                    for (u32 j = 0; j < BN / 64 / CLUSTER; j++) {
                        u32 chunk = rank * (BN / 64 / CLUSTER) + j;
                        unsigned char* to = b_tiles + stage * B_BYTES + chunk * B_CHUNK;
#if CLUSTER > 1
                        copy_box_to(b, &full[stage], to, p.left + chunk * 64, step * BK, (1 << CLUSTER) - 1);
#else
                        copy_box(b, &full[stage], to, p.left + chunk * 64, step * BK);
#endif
                    }
                    if (++stage == STAGES)
                        stage = 0, phase ^= 1;
                }
            }
        }
    } else {
        take_registers<CONSUMERS == 1 ? 256 - 8 : CONSUMERS == 2 ? 232 : 160>();
        u32 thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
        for (u32 at = first; at < tiles; at += stride) {
            float d[BN / 2];
            u32 before = 0;
            for (u32 step = 0; step < steps; step++) {
                wait(&full[stage], phase);
                u64 a_at = describe(a_tiles + stage * A_BYTES + group * 64 * 128, 16);
                u64 b_at = describe(b_tiles + stage * B_BYTES, B_CHUNK);
                multiply_begin();
#pragma unroll
                for (u32 i = 0; i < BK / 16; i++)
                    multiply(d, a_at + i * 2, b_at + i * 128, step + i > 0);
                multiply_commit();
                multiply_wait<1>();
                if (step > 0 && thread < CLUSTER)
                    arrive_at(&empty[before], thread);  // the step before is done
                before = stage;
                if (++stage == STAGES)
                    stage = 0, phase ^= 1;
            }
            multiply_wait<0>();
            if (thread < CLUSTER)
                arrive_at(&empty[before], thread);

            Place p = place(at, down, across);
            u32 top = p.top + rank * BM + group * 64;
#if TMA_STORE
            unsigned char* mine = c_tiles + group * C_BYTES;
            u32 row = warp * 16 + lane % 16;
#pragma unroll
            for (u32 round = 0; round < BN / 64; round += CHUNKS) {
                if (thread == 0)
                    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
                group_sync(group);
#pragma unroll
                for (u32 chunk = 0; chunk < CHUNKS; chunk++)
#pragma unroll
                    for (u32 j = 0; j < 8; j += 2) {
                        u32 i = ((round + chunk) * 8 + j) * 4;
                        u32 piece = (j + lane / 16) ^ (row % 8);
                        store_matrices(
                            mine + chunk * C_CHUNK + row * 128 + piece * 16, pack(d[i], d[i + 1]), pack(d[i + 2], d[i + 3]),
                            pack(d[i + 4], d[i + 5]), pack(d[i + 6], d[i + 7]));
                    }
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
                group_sync(group);
                if (thread == 0) {
#pragma unroll
                    for (u32 chunk = 0; chunk < CHUNKS; chunk++)
                        store_box(c, mine + chunk * C_CHUNK, p.left + (round + chunk) * 64, top);
                    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
                }
            }
#else
            bool pairs = ldc % 2 == 0 && (u64)plain_c % 4 == 0;  // two elements at a time
#pragma unroll
            for (u32 j = 0; j < BN / 8; j++)
#pragma unroll
                for (u32 half = 0; half < 2; half++) {
                    u32 r = top + warp * 16 + lane / 4 + half * 8, s = p.left + j * 8 + lane % 4 * 2;
                    u32 both = pack(d[j * 4 + half * 2], d[j * 4 + half * 2 + 1]);
                    if (r >= m)
                        continue;
                    unsigned short* to = plain_c + r * ldc + s;
                    if (pairs && s + 1 < n) {
                        *reinterpret_cast<u32*>(to) = both;
                    } else {
                        if (s < n)
                            to[0] = (unsigned short)both;
                        if (s + 1 < n)
                            to[1] = (unsigned short)(both >> 16);
                    }
                }
#endif
        }
#if TMA_STORE
        if (thread == 0)
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
    }
    cluster_sync();  // no block exits while others may still arrive at its barriers
}
