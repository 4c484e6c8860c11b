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
//
// The operands of the next 16 of k are on their way to registers while those of this one are multiplied,
// across the barrier between two tiles too. There is no register to spare: so addresses are one base for
// each operand, from which the others are an exclusive or or a constant away, and beyond the edges of the
// matrices the copies ask for no bytes, which gives zeros.

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

extern "C" __global__ void __launch_bounds__(THREADS, 1) kernels_matmul_16_sync(
    const u16* a, const u16* b, u16* c, u32 m, u32 n, u32 k, u64 lda, u64 ldb, u64 ldc) {
    extern __shared__ __align__(128) unsigned char memory[];
    const u32 TILE = A_BYTES + B_BYTES;
    u32 tiles = (u32)__cvta_generic_to_shared(memory);

    u32 down = (m + BM - 1) / BM, across = (n + BN - 1) / BN;
    u32 band = blockIdx.x / (BAND * across) * BAND;
    u32 height = min((u32)BAND, down - band);
    u32 within = blockIdx.x - band * across;
    u32 top = (band + within % height) * BM, left = within / height * BN;
    u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    u32 row = warp / (BN / WN) * WM, column = warp % (BN / WN) * WN;

    // A thread copies one column of pieces, every so many rows.
    const u32 A_PIECES = BK / 8, B_PIECES = BN / 8, A_ROWS = THREADS / A_PIECES, B_ROWS = THREADS / B_PIECES;
    u32 a_x = threadIdx.x % A_PIECES * 8, a_y = threadIdx.x / A_PIECES;
    u32 b_x = threadIdx.x % B_PIECES * 8, b_y = threadIdx.x / B_PIECES;
    const u16* a_next = a + (u64)(top + a_y) * lda + a_x;
    const u16* b_next = b + (u64)b_y * ldb + left + b_x;
    u64 a_jump = A_ROWS * lda, b_jump = B_ROWS * ldb;
    u32 a_to = place<A_PIECES>(a_y, a_x / 8), b_to = A_BYTES + place<B_PIECES>(b_y, b_x / 8);
    u32 rows_left = top + a_y < m ? m - top - a_y : 0, b_bytes = bytes_left(left + b_x, n);
    u32 depth = k;  // what is left of k for the next copies
    auto begin = [&](u32 tile) {
        u32 a_bytes = bytes_left(a_x, depth);
        const u16* from = a_next;
#pragma unroll
        for (u32 i = 0; i < BM; i += A_ROWS) {
            copy(tile + a_to + i * A_PIECES * 16, from, i < rows_left ? a_bytes : 0);
            from += a_jump;
        }
        from = b_next;
#pragma unroll
        for (u32 i = 0; i < BK; i += B_ROWS) {
            copy(tile + b_to + i * B_PIECES * 16, from, b_y + i < depth ? b_bytes : 0);
            from += b_jump;
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        a_next += BK, b_next += BK * ldb, depth -= min(depth, (u32)BK);
    };

    float d[WM / 16][WN / 8][4] = {};
    u32 of_a[2][WM / 16][4], of_b[2][WN / 16][4];
    u32 a_from = place<A_PIECES>(row + lane % 16, lane / 16);
    u32 b_from = A_BYTES + place<B_PIECES>(lane % 16, column / 8 + lane / 16);
    auto fetch = [&](u32 tile, u32 step, u32 to) {
#pragma unroll
        for (u32 i = 0; i < WM / 16; i++)
            load_matrices(of_a[to][i], (tile + a_from ^ step * 32) + i * 16 * A_PIECES * 16);
#pragma unroll
        for (u32 j = 0; j < WN / 16; j++)
            load_turned(of_b[to][j], (tile + b_from ^ j * 32) + step * 16 * B_PIECES * 16);
    };

    u32 steps = (k + BK - 1) / BK;
#pragma unroll
    for (u32 s = 0; s < STAGES - 1; s++)
        begin(tiles + s * TILE);
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
    u32 now = tiles, free = tiles + (STAGES - 1) * TILE;
    fetch(now, 0, 0);
    const u32 PARTS = BK / 16;
    for (u32 step = 0; step < steps; step++) {
#pragma unroll
        for (u32 part = 0; part < PARTS; part++) {
            u32 filled = free;
            if (part == PARTS - 1) {
                free = now;
                now = now + TILE == tiles + STAGES * TILE ? tiles : now + TILE;
                asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
                __syncthreads();
            }
            fetch(now, (part + 1) % PARTS, (part + 1) % 2);
            if (part == 0)
                begin(filled);
#pragma unroll
            for (u32 i = 0; i < WM / 16; i++)
#pragma unroll
                for (u32 l = 0; l < WN / 8; l++) {
                    const u32 j = i % 2 ? WN / 8 - 1 - l : l;  // each shares an operand with the one before
                    multiply(d[i][j], of_a[part % 2][i], of_b[part % 2][j / 2][j % 2 * 2], of_b[part % 2][j / 2][j % 2 * 2 + 1]);
                }
        }
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
