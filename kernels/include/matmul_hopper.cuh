// c = a b on Hopper's tensor cores: 16-bit floats, accumulated in single precision. a is m x k, b is
// k x n, c is m x n, all row-major, described by tensor maps.
//
// Constants: TYPE "bf16" or "f16"; BM x BN the block's tile of c, BM = 64 CONSUMERS; STAGES the steps
// of k under way; CLUSTER blocks that share their part of b; CHUNKS of 64 columns that are stored at a
// time; TMA_STORE whether c's rows allow the bulk copy; BAND, rows of tiles that are worked on
// together.
//
// Roles. One warp group has a single thread at work: it asks the copy engine for tiles. The other
// groups multiply, 64 rows each. They meet at two barriers for each stage: `full`, which the copy
// engine completes when all bytes are there, and `empty`, which every consumer of every block of the
// cluster passes when it is done with the stage. The blocks of a cluster have the same columns, so
// each asks for a part of b's tile and has it delivered to all.
//
// A block stays on its multiprocessor and goes from tile to tile; while its consumers store one tile
// of c, the copy engine already fills the stages for the next.
//
// Shared memory lies as the copy engine swizzles it: rows of 128 bytes, in which the 16-byte pieces of
// row r stand at place ^ (r % 8). a's tile is such rows of 64 k; b's is CHUNKs of 64 columns, rows of k;
// so `wgmma` reads a along k and b along n, and nothing is turned over.

typedef unsigned int u32;
typedef unsigned long long u64;

struct __align__(64) TensorMap {
    u64 words[16];
};

const u32 BK = 64;
const u32 CONSUMERS = BM / 64;
const u32 A_BYTES = BM * BK * 2;
const u32 B_CHUNK = BK * 128;  // bytes of 64 columns
const u32 B_BYTES = BN / 64 * B_CHUNK;
const u32 C_CHUNK = 64 * 128;  // bytes of 64 rows of 64 columns
const u32 C_BYTES = TMA_STORE ? CHUNKS * C_CHUNK : 0;  // for each consumer

// --- barriers in shared memory ---

__device__ __forceinline__ u32 address(const void* p) { return (u32)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void init(u64* barrier, u32 count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(barrier)), "r"(count) : "memory");
}

__device__ __forceinline__ void expect(u64* barrier, u32 bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes) : "memory");
}

// Arrives at the barrier at the same place in block `rank` of the cluster.
__device__ __forceinline__ void arrive(u64* barrier, u32 rank) {
    asm volatile(
        "{\n.reg .b32 there;\n"
        "mapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}\n" ::"r"(address(barrier)), "r"(rank)
        : "memory");
}

__device__ __forceinline__ void wait(u64* barrier, u32 phase) {
    u32 done;
    do {
        asm volatile(
            "{\n.reg .pred p;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
            "selp.u32 %0, 1, 0, p;\n}\n"
            : "=r"(done)
            : "r"(address(barrier)), "r"(phase)
            : "memory");
    } while (!done);
}

__device__ __forceinline__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}

// Over the threads of one consumer.
__device__ __forceinline__ void group_sync(u32 group) {
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
}

// --- the copy engine ---

__device__ __forceinline__ void load(const TensorMap* map, u64* barrier, void* to, u32 x, u32 y) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(address(to)),
        "l"(map), "r"(address(barrier)), "r"(x), "r"(y)
        : "memory");
}

// To the same place, and the same barrier, in all blocks of the cluster.
__device__ __forceinline__ void load_all(const TensorMap* map, u64* barrier, void* to, u32 x, u32 y) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(
            address(to)),
        "l"(map), "r"(address(barrier)), "r"(x), "r"(y), "h"((unsigned short)((1 << CLUSTER) - 1))
        : "memory");
}

__device__ __forceinline__ void store(const TensorMap* map, const void* from, u32 x, u32 y) {
    asm volatile(
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map), "r"(address(from)), "r"(x), "r"(y)
        : "memory");
}

// --- the tensor cores ---

// Where a tile lies, and how: 128-byte swizzle; `leading` and `stride` in bytes.
__device__ __forceinline__ u64 describe(const void* tile, u32 leading, u32 stride) {
    return (u64)((address(tile) & 0x3ffff) >> 4) | (u64)(leading >> 4) << 16 | (u64)(stride >> 4) << 32 | 1ull << 62;
}

// d = a b + (keep ? d : 0) for 64 rows and 16 steps of k. The second-last number: a lies along k; the
// last: b lies along n.
#if BN == 256
__device__ __forceinline__ void multiply(float (&d)[128], u64 a, u64 b, int keep) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32." TYPE "." TYPE " {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
        "}, %128, %129, p, 1, 1, 0, 1;\n}\n"
        :
          "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
          "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
          "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
          "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
          "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]),
          "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]),
          "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
          "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]),
          "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),
          "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
          "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]),
          "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]),
          "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
        : "l"(a), "l"(b), "r"(keep));
}
#else
__device__ __forceinline__ void multiply(float (&d)[64], u64 a, u64 b, int keep) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32." TYPE "." TYPE " {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
        "}, %64, %65, p, 1, 1, 0, 1;\n}\n"
        :
          "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
          "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
          "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
          "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
          "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
          "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
          "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
        : "l"(a), "l"(b), "r"(keep));
}
#endif

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
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_sync();

    u32 stage = 0, phase = 0;
    if (group == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(CONSUMERS == 1 ? 56 : 40));
        if (threadIdx.x == CONSUMERS * 128) {
            for (u32 at = first; at < tiles; at += stride) {
                Place p = place(at, down, across);
                for (u32 step = 0; step < steps; step++) {
                    wait(&empty[stage], phase ^ 1);
                    expect(&full[stage], A_BYTES + B_BYTES);
                    load(&a, &full[stage], a_tiles + stage * A_BYTES, step * BK, p.top + rank * BM);
#pragma unroll
                    for (u32 j = 0; j < BN / 64 / CLUSTER; j++) {
                        u32 chunk = rank * (BN / 64 / CLUSTER) + j;
                        unsigned char* to = b_tiles + stage * B_BYTES + chunk * B_CHUNK;
#if CLUSTER > 1
                        load_all(&b, &full[stage], to, p.left + chunk * 64, step * BK);
#else
                        load(&b, &full[stage], to, p.left + chunk * 64, step * BK);
#endif
                    }
                    if (++stage == STAGES)
                        stage = 0, phase ^= 1;
                }
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(CONSUMERS == 1 ? 256 - 8 : CONSUMERS == 2 ? 232 : 160));
        u32 thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
        for (u32 at = first; at < tiles; at += stride) {
            float d[BN / 2];
            u32 before = 0;
            for (u32 step = 0; step < steps; step++) {
                wait(&full[stage], phase);
                u64 a_at = describe(a_tiles + stage * A_BYTES + group * 64 * 128, 16, 1024);
                u64 b_at = describe(b_tiles + stage * B_BYTES, B_CHUNK, 1024);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (u32 i = 0; i < BK / 16; i++)
                    multiply(d, a_at + i * 2, b_at + i * 128, step + i > 0);
                asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::: "memory");
                if (step > 0 && thread < CLUSTER)
                    arrive(&empty[before], thread);  // the step before is done
                before = stage;
                if (++stage == STAGES)
                    stage = 0, phase ^= 1;
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            if (thread < CLUSTER)
                arrive(&empty[before], thread);

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
                        store(&c, mine + chunk * C_CHUNK, p.left + (round + chunk) * 64, top);
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
    cluster_sync();  // nobody leaves while others may still arrive at its barriers
}
