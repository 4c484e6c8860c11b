// n elements folded into one, in one pass over memory and one launch.
//
// Constants: T the type, OP one of ADD, MUL, MIN, MAX (by number, below), MEET how the blocks come
// together, IDENTITY what a fold begins with, THREADS and UNROLL.
//
// Each block goes over the input in tiles of THREADS x UNROLL vectors of 16 bytes. All UNROLL loads
// of a tile are issued before the first of them is used: that many bytes under way is what fills the
// memory's pipe. Where the input does not begin at a multiple of 16, or does not end at one, single
// elements are left over, fewer than a vector's at either end.
//
// The blocks meet in `scratch`, which they leave zero for the next run:
// - PACKED: one 64-bit word holds a wrapping 32-bit sum in its high half and the number of blocks
//   that are done in its low half. One atomic adds both, so the block that comes last learns the
//   whole sum from its own atomic.
// - PLACES: each block leaves its result in a place of its own, and the block that comes last folds
//   the places, always in the same order: for a given n on a given device the same bits.
// - ATOMIC: each block adds its sum to one place, in no defined order.

#define ADD 0
#define MUL 1
#define MIN 2
#define MAX 3
#define PACKED 0
#define PLACES 1
#define ATOMIC 2

// What the smallest of floats begins with: it loses to every number.
#define NOT_A_NUMBER __int_as_float(0x7fffffff)

typedef unsigned int u32;
typedef unsigned long long u64;

const u32 LANES = 16 / sizeof(T);
const u32 ALL = 0xffffffff;

struct __align__(16) Vector {
    T lane[LANES];
};

__device__ __forceinline__ T fold(T a, T b) {
#if OP == ADD
    return a + b;
#elif OP == MUL
    return a * b;
#elif OP == MIN
    return min(a, b);  // of a number and NaN: the number
#else
    return max(a, b);
#endif
}

__device__ __forceinline__ T fold_warp(T value) {
#if MEET == PACKED
    return __reduce_add_sync(ALL, value);  // one instruction, of 32-bit integers alone
#else
#pragma unroll
    for (u32 distance = 16; distance > 0; distance /= 2)
        value = fold(value, __shfl_xor_sync(ALL, value, distance));
    return value;
#endif
}

// The result is whole in the first warp. Between two calls there is a barrier.
__device__ __forceinline__ T fold_block(T value) {
    __shared__ T warps[THREADS / 32];
    value = fold_warp(value);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32)
        value = fold_warp(threadIdx.x < THREADS / 32 ? warps[threadIdx.x] : (T)(IDENTITY));
    return value;
}

__device__ __forceinline__ T fold_input(const T* data, u64 n) {
    u64 head = min(n, (u64)((16 - (u64)data % 16) % 16 / sizeof(T)));
    const Vector* vectors = reinterpret_cast<const Vector*>(data + head);
    u64 count = (n - head) / LANES;
    const u64 TILE = (u64)THREADS * UNROLL;
    u64 tiles = count / TILE;  // full ones

    T sums[LANES];
#pragma unroll
    for (u32 j = 0; j < LANES; j++)
        sums[j] = (T)(IDENTITY);
    for (u64 at = blockIdx.x; at < tiles; at += gridDim.x) {
        const Vector* from = vectors + at * TILE + threadIdx.x;
        Vector v[UNROLL];
#pragma unroll
        for (u32 k = 0; k < UNROLL; k++)
            v[k] = from[k * THREADS];
#pragma unroll
        for (u32 k = 0; k < UNROLL; k++)
#pragma unroll
            for (u32 j = 0; j < LANES; j++)
                sums[j] = fold(sums[j], v[k].lane[j]);
    }
    // What no full tile covers.
    u64 thread = (u64)blockIdx.x * THREADS + threadIdx.x;
    u64 threads = (u64)gridDim.x * THREADS;
    for (u64 i = tiles * TILE + thread; i < count; i += threads) {
        Vector v = vectors[i];
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            sums[j] = fold(sums[j], v.lane[j]);
    }
    if (thread < head)
        sums[0] = fold(sums[0], data[thread]);
    u64 done = head + count * LANES;
    if (thread < n - done)
        sums[0] = fold(sums[0], data[done + thread]);

    T sum = sums[0];
#pragma unroll
    for (u32 j = 1; j < LANES; j++)
        sum = fold(sum, sums[j]);
    return sum;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1024 / THREADS)
    kernels_reduce(const T* data, u64 n, T* out, u64* scratch) {
    T sum = fold_block(fold_input(data, n));
#if MEET == PACKED
    if (threadIdx.x == 0) {
        u64 mine = (u64)(u32)sum << 32 | 1;
        u64 all = atomicAdd(scratch, mine) + mine;
        if ((u32)all == gridDim.x) {
            *out = (T)(all >> 32);
            atomicExch(scratch, 0ull);
        }
    }
#elif MEET == ATOMIC
    if (threadIdx.x == 0) {
        T* place = reinterpret_cast<T*>(scratch + 1);
        atomicAdd(place, sum);
        __threadfence();
        if (atomicInc(reinterpret_cast<u32*>(scratch), gridDim.x - 1) == gridDim.x - 1) {
            __threadfence();
            *out = *(volatile T*)place;
            *(volatile T*)place = 0;
        }
    }
#else
    __shared__ bool last;
    volatile T* places = reinterpret_cast<T*>(scratch + 2);
    if (threadIdx.x == 0) {
        places[blockIdx.x] = sum;
        __threadfence();
        u32 before = atomicInc(reinterpret_cast<u32*>(scratch), gridDim.x - 1);
        last = before == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    sum = (T)(IDENTITY);
    // Eight places at a time: one wait for the cache, not eight.
    const T* results = const_cast<const T*>(places);
    for (u32 i = threadIdx.x; i < gridDim.x; i += THREADS * 8) {
        T part[8];
#pragma unroll
        for (u32 k = 0; k < 8; k++)
            part[k] = i + k * THREADS < gridDim.x ? __ldcg(results + i + k * THREADS) : (T)(IDENTITY);
#pragma unroll
        for (u32 k = 0; k < 8; k++)
            sum = fold(sum, part[k]);
    }
    sum = fold_block(sum);
    if (threadIdx.x == 0)
        *out = sum;
#endif
}
