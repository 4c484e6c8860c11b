// c = a b in single precision: a is m x k, b is k x n, c is m x n, all row-major; `lda`, `ldb` and
// `ldc` are the elements from one row to the next. No tensor cores: every product is an FFMA.
//
// Constants: BM x BN the block's tile of c, BK the depth of a step, STAGES the steps under way;
// WM x WN the tile of a warp; TM x TN that of a thread, LY x LX = 32 how a warp's threads lie;
// VECTOR 4 where b's and c's rows begin at multiples of 16 bytes, else 1; BAND, rows of tiles that are
// worked on together so that they find each other's operands in the second-level cache.
//
// Why it is fast: of the instructions of the inner loop nearly all are FFMA. A thread takes TM + TN
// floats from shared memory for TM x TN of them; the floats of the next step of k are on their way to
// registers while this one's are multiplied; and the tiles of the next steps are on their way from
// global to shared memory past the registers altogether (`cp.async`). a's tile is stored transposed on
// the way, so that a thread's floats of a column lie beside each other.
//
// Two things are worth 2 to 3 % on an H200. The multiplications of a step go to and fro over the
// columns, so that each shares a float with the one before it, which stays at the multipliers. And the
// copies are started two steps of k into a tile, when the loads after the barrier have been served.

typedef unsigned int u32;
typedef unsigned long long u64;

const u32 THREADS = BM / WM * (BN / WN) * 32;
const u32 PITCH = BM + 4;  // of a's tile: the 4 spread the transposed stores over the banks

struct Tiles {
    float a[BK][PITCH];
    float b[BK][BN];
};

// Starts the copy of BYTES from global to shared memory; of zeros, where `there` is false.
template <u32 BYTES>
__device__ __forceinline__ void copy(float* to, const float* from, bool there) {
    u32 place = (u32)__cvta_generic_to_shared(to);
    if (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(from), "r"(there ? 16 : 0));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(place), "l"(from), "r"(there ? 4 : 0));
}

// Starts the copies of a step, of a's tile 8 of k by 4 rows to a warp (whole sectors on one side, all
// banks on the other), of b's whole rows. `a` and `b` are where the thread begins; INSIDE: the tiles
// lie within the matrices, of which `rows`, `columns` and `depth` are left.
template <bool INSIDE>
__device__ __forceinline__ void start(
    Tiles& tiles, const float* a, const float* b, u32 rows, u32 columns, u32 depth, u64 lda, u64 ldb) {
    const u32 A_ROWS = THREADS / 8;
    u32 x = threadIdx.x % 8, y = threadIdx.x / 8;
#pragma unroll
    for (u32 i = 0; i < BM; i += A_ROWS)
#pragma unroll
        for (u32 j = 0; j < BK; j += 8) {
            bool there = INSIDE || (y + i < rows && x + j < depth);
            copy<4>(&tiles.a[x + j][y + i], there ? a + i * lda + j : a, there);
        }
    const u32 PER_ROW = BN / VECTOR < THREADS ? BN / VECTOR : THREADS;
    const u32 B_ROWS = THREADS / PER_ROW, COLUMNS = PER_ROW * VECTOR;
    x = threadIdx.x % PER_ROW * VECTOR, y = threadIdx.x / PER_ROW;
#pragma unroll
    for (u32 i = 0; i < BK; i += B_ROWS)
#pragma unroll
        for (u32 j = 0; j < BN; j += COLUMNS) {
            bool there = INSIDE || (y + i < depth && x + j < columns);
            copy<VECTOR * 4>(&tiles.b[y + i][x + j], there ? b + i * ldb + j : b, there);
        }
}

// A thread's floats of step `k`: groups of four, one group of each part of the warp's tile.
__device__ __forceinline__ void fetch(const Tiles& tiles, u32 k, u32 row, u32 column, float* down, float* right) {
#pragma unroll
    for (u32 i = 0; i < TM; i += 4)
        *reinterpret_cast<float4*>(down + i) = *reinterpret_cast<const float4*>(&tiles.a[k][row + i * LY]);
#pragma unroll
    for (u32 j = 0; j < TN; j += 4)
        *reinterpret_cast<float4*>(right + j) = *reinterpret_cast<const float4*>(&tiles.b[k][column + j * LX]);
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) kernels_matmul_f32(
    const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, u32 m, u32 n,
    u32 k, u64 lda, u64 ldb, u64 ldc) {
    extern __shared__ __align__(16) unsigned char memory[];
    Tiles* tiles = reinterpret_cast<Tiles*>(memory);

    u32 down = (m + BM - 1) / BM, across = (n + BN - 1) / BN;
    u32 band = blockIdx.x / (BAND * across) * BAND;
    u32 height = min((u32)BAND, down - band);
    u32 within = blockIdx.x - band * across;
    u32 top = (band + within % height) * BM, left = within / height * BN;

    u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    u32 row = warp / (BN / WN) * WM + lane / LX * 4;
    u32 column = warp % (BN / WN) * WN + lane % LX * 4;

    // What is left of the matrices from the tile's corner on.
    u32 rows = m - top, columns = n - left;
    bool inside = rows >= BM && columns >= BN;
    const u32 PER_ROW = BN / VECTOR < THREADS ? BN / VECTOR : THREADS;
    const float* a_next = a + (u64)(top + threadIdx.x / 8) * lda + threadIdx.x % 8;
    const float* b_next = b + (u64)(threadIdx.x / PER_ROW) * ldb + left + threadIdx.x % PER_ROW * VECTOR;
    u32 depth = k;  // what is left of k for the next copies
    auto begin = [&](u32 stage) {
        if (inside && depth >= BK)
            start<true>(tiles[stage], a_next, b_next, rows, columns, depth, lda, ldb);
        else
            start<false>(tiles[stage], depth ? a_next : a, depth ? b_next : b, rows, columns, depth, lda, ldb);
        asm volatile("cp.async.commit_group;" ::: "memory");
        u32 step = min(depth, (u32)BK);
        a_next += step, b_next += step * ldb, depth -= step;
    };

    float sums[TM][TN] = {};
    __align__(16) float down_of[2][TM];
    __align__(16) float right_of[2][TN];
    u32 steps = (k + BK - 1) / BK;
#pragma unroll
    for (u32 s = 0; s < STAGES - 1; s++)
        begin(s);
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
    fetch(tiles[0], 0, row, column, down_of[0], right_of[0]);
    u32 now = 0, free = STAGES - 1;
    for (u32 step = 0; step < steps; step++) {
        u32 filled = free;
        free = now;
        u32 next = now + 1 == STAGES ? 0 : now + 1;
#pragma unroll
        for (u32 at = 0; at < BK; at++) {
            if (at == 2)
                begin(filled);
            if (at == BK - 1) {
                asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
                __syncthreads();
                fetch(tiles[next], 0, row, column, down_of[(at + 1) % 2], right_of[(at + 1) % 2]);
            } else {
                fetch(tiles[now], at + 1, row, column, down_of[(at + 1) % 2], right_of[(at + 1) % 2]);
            }
#pragma unroll
            for (u32 i = 0; i < TM; i++)
#pragma unroll
                for (u32 l = 0; l < TN; l++) {
                    const u32 j = i % 2 ? TN - 1 - l : l;
                    sums[i][j] += down_of[at % 2][i] * right_of[at % 2][j];
                }
        }
        now = next;
    }
    asm volatile("cp.async.wait_all;" ::: "memory");

#pragma unroll
    for (u32 i = 0; i < TM; i++) {
        u32 r = top + row + i / 4 * 4 * LY + i % 4;
        if (r >= m)
            break;
#pragma unroll
        for (u32 j = 0; j < TN; j += 4) {
            u32 s = left + column + j * LX;
            float* place = c + r * ldc + s;
            if (VECTOR == 4) {
                if (s < n)
                    *reinterpret_cast<float4*>(place) = make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
            } else {
#pragma unroll
                for (u32 l = 0; l < 4; l++)
                    if (s + l < n)
                        place[l] = sums[i][j + l];
            }
        }
    }
}
