// c = a b on tensor cores from compute capability 8.0 on: 16-bit floats, accumulated in single
// precision. a is m x k, b is k x n, c is m x n, all row-major; rows of a and b begin at multiples of 16
// bytes, those of c anywhere.
//
// Constants: TYPE "bf16" or "f16"; BM x BN the block's tile, BK the depth of a step, STAGES the steps
// under way; WM x WN a warp's tile; BAND, rows of tiles that are worked on together.
//
// Tiles travel past the registers (`cp.async`) into shared memory, where the 16-byte pieces of a row are
// swizzled so that `ldmatrix` finds its eight rows in eight different groups of banks. b's matrices are
// turned over on the way to registers. The multiplication is mma.m16n8k16.

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned short u16;

const u32 THREADS = BM / WM * (BN / WN) * 32;
const u32 A_BYTES = BM * BK * 2, B_BYTES = BK * BN * 2;

// Byte offset of 16-byte piece `piece` of row `row`, in rows of PIECES pieces.
template <u32 PIECES>
__device__ __forceinline__ u32 place(u32 row, u32 piece) {
    // Eight rows of a column of pieces lie in eight places modulo 128 bytes.
    u32 turn = PIECES >= 8 ? row % 8 : row / (8 / PIECES) % PIECES;
    return (row * PIECES + (piece ^ turn)) * 16;
}

// Copies 16 bytes, of which `bytes` come from memory and the others are zero.
__device__ __forceinline__ void copy(u32 to, const u16* from, u32 bytes) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
}

__device__ __forceinline__ u32 bytes_left(u32 at, u32 end) { return at >= end ? 0 : min((end - at) * 2, 16u); }

__device__ __forceinline__ void start(
    u32 tile, const u16* a, const u16* b, u32 m, u32 n, u32 k, u64 lda, u64 ldb, u32 top, u32 left, u32 first) {
#pragma unroll
    for (u32 i = threadIdx.x; i < BM * BK / 8; i += THREADS) {
        u32 row = i / (BK / 8), piece = i % (BK / 8);
        u32 bytes = top + row < m ? bytes_left(first + piece * 8, k) : 0;
        copy(tile + place<BK / 8>(row, piece), bytes ? a + (u64)(top + row) * lda + first + piece * 8 : a, bytes);
    }
#pragma unroll
    for (u32 i = threadIdx.x; i < BK * BN / 8; i += THREADS) {
        u32 row = i / (BN / 8), piece = i % (BN / 8);
        u32 bytes = first + row < k ? bytes_left(left + piece * 8, n) : 0;
        copy(tile + A_BYTES + place<BN / 8>(row, piece), bytes ? b + (u64)(first + row) * ldb + left + piece * 8 : b, bytes);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__device__ __forceinline__ void load_matrices(u32 (&r)[4], u32 row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
}

__device__ __forceinline__ void load_turned(u32 (&r)[4], u32 row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row) : "memory");
}

__device__ __forceinline__ void multiply(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32." TYPE "." TYPE ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ u32 pack(float low, float high) {
    u32 both;
    asm("cvt.rn." TYPE "x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

extern "C" __global__ void __launch_bounds__(THREADS) kernels_matmul_16_sync(
    const u16* a, const u16* b, u16* c, u32 m, u32 n, u32 k, u64 lda, u64 ldb, u64 ldc) {
    extern __shared__ __align__(128) unsigned char memory[];
    u32 tiles = (u32)__cvta_generic_to_shared(memory);
    const u32 TILE = A_BYTES + B_BYTES;

    u32 down = (m + BM - 1) / BM, across = (n + BN - 1) / BN;
    u32 band = blockIdx.x / (BAND * across) * BAND;
    u32 height = min((u32)BAND, down - band);
    u32 within = blockIdx.x - band * across;
    u32 top = (band + within % height) * BM, left = within / height * BN;

    u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    u32 row = warp / (BN / WN) * WM, column = warp % (BN / WN) * WN;
    float d[WM / 16][WN / 8][4] = {};
    u32 steps = (k + BK - 1) / BK;
#pragma unroll
    for (u32 s = 0; s < STAGES - 1; s++)
        start(tiles + s * TILE, a, b, m, n, k, lda, ldb, top, left, s * BK);
    u32 now = 0, free = STAGES - 1;
    for (u32 step = 0; step < steps; step++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads();
        start(tiles + free * TILE, a, b, m, n, k, lda, ldb, top, left, (step + STAGES - 1) * BK);
        u32 tile = tiles + now * TILE;
#pragma unroll
        for (u32 kk = 0; kk < BK / 16; kk++) {
            u32 of_a[WM / 16][4], of_b[WN / 16][4];
#pragma unroll
            for (u32 i = 0; i < WM / 16; i++)
                load_matrices(of_a[i], tile + place<BK / 8>(row + i * 16 + lane % 16, kk * 2 + lane / 16));
#pragma unroll
            for (u32 j = 0; j < WN / 16; j++)
                load_turned(of_b[j], tile + A_BYTES + place<BN / 8>(kk * 16 + lane % 16, column / 8 + j * 2 + lane / 16));
#pragma unroll
            for (u32 i = 0; i < WM / 16; i++)
#pragma unroll
                for (u32 j = 0; j < WN / 8; j++)
                    multiply(d[i][j], of_a[i], of_b[j / 2][j % 2 * 2], of_b[j / 2][j % 2 * 2 + 1]);
        }
        free = now;
        now = now + 1 == STAGES ? 0 : now + 1;
    }
    asm volatile("cp.async.wait_all;" ::: "memory");

    bool pairs = ldc % 2 == 0 && (u64)c % 4 == 0;  // two elements at a time
#pragma unroll
    for (u32 i = 0; i < WM / 16; i++)
#pragma unroll
        for (u32 j = 0; j < WN / 8; j++)
#pragma unroll
            for (u32 half = 0; half < 2; half++) {
                u32 r = top + row + i * 16 + lane / 4 + half * 8, s = left + column + j * 8 + lane % 4 * 2;
                u32 both = pack(d[i][j][half * 2], d[i][j][half * 2 + 1]);
                if (r >= m)
                    continue;
                u16* to = c + r * ldc + s;
                if (pairs && s + 1 < n) {
                    *reinterpret_cast<u32*>(to) = both;
                } else {
                    if (s < n)
                        to[0] = (u16)both;
                    if (s + 1 < n)
                        to[1] = (u16)(both >> 16);
                }
            }
}
