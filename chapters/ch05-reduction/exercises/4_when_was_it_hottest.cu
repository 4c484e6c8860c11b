//! # When was it hottest?
//!
//! A thermometer delivers 1024 numbers per day, each from 0 to 255. For each day find the *index* of the largest
//! number. It may occur several times on a day; the lowest of its indices is the answer. The last day may be shorter.
//!
//! There are two launches. You write `find`, in blocks of 256, so four blocks have the same day. For each day there
//! is one 64-bit word in global memory, `best[day]`, which is 0 before the launch. Leave the result in it. Then
//! `unpack`, which is given, computes the index: it is `0xffffffff` minus the lower half of the word.
//!
//! Two blocks cannot compare and replace two words at once, but they can do it with one word. CUDA has an `atomicMax`
//! for `unsigned long long`.
//!
//! The goals: at most one atomic per block, which is counted as a *global reduction* if nobody uses its result, and as
//! a *global atomic* if somebody does; and two load requests per warp of `find`.
//!
//! ## Hint
//! Make one 64-bit number of a value and its index, so that the *larger* of two such numbers is the better candidate.
//!
//! ## Hint
//! The value is in the upper half, so it decides. With equal values the lower half decides, and there the lower index
//! must be the larger number. What does `unpack` say about that?
//!
//! ## Hint
//! `(unsigned long long)value << 32 | (0xffffffffu - i)`. Without the cast it shifts an `int` by 32, which
//! C++ does not define. A thread without a number has the candidate 0.
//!
//! ## Hint
//! The rest is a reduction with a maximum: shuffles within the warp (they work for 64 bits), eight words of shared
//! memory for the warps, one barrier, shuffles again or a loop of one thread, and one `atomicMax` per block, on
//! `best[blockIdx.x / 4]`.
//!
//! ## Why it works
//! The order in which blocks come does not matter, because a maximum is commutative, and the word is always a whole
//! candidate: value and index change in one step. With two atomics, one for each, another block could come between
//! them.
//!
//! Packing makes the ties right as well. Among equal values the larger lower half wins, and that is the lowest index.
//! *Global reductions* is one per block: 256 candidates have become one in registers and shared memory.
//@ exercise write, 90 minutes
//@ gate global_reductions <= n / 256
//@ gate global_atomics <= n / 256
//@ gate global_load_requests <= n / 16 + (days + 31) / 32
//@ input in: int[n] = lcg256
//@ let days = (n + 1023) / 1024
//@ scratch best: unsigned long long[days] = zero
//@ output time: int[days] = poison
//@ launch find(in, best, n) grid = (n + 255) / 256, block = 256
//@ launch unpack(best, time, days) grid = (days + 31) / 32, block = 32
//@ test 1, 2, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 3001, 20000
//@ page 8192
//@ equivalent `0` for `1` in `for (int k = 1; k < 8; k++)`: the largest of a number and itself is the number
//@ equivalent `31` for `32` in `warps[threadIdx.x / 32] = candidate;`: multiples of 32 below 256 divided by 31 are 0 to 7 as well

extern "C" __global__ void find(const int* in, unsigned long long* best, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    unsigned long long candidate = 0;
    if (i < n)
        candidate = (unsigned long long)in[i] << 32 | (0xffffffffu - i);
    for (int distance = 16; distance > 0; distance /= 2)
        candidate = max(candidate, __shfl_down_sync(0xffffffff, candidate, distance));

    __shared__ unsigned long long warps[8];
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = candidate;
    __syncthreads();

    if (threadIdx.x == 0) {
        for (int k = 1; k < 8; k++)
            candidate = max(candidate, warps[k]);
        atomicMax(&best[blockIdx.x / 4], candidate);
    }
    //@ starter
    //| // Which 64-bit number says that this thread's number is better than another one?
    //| unsigned long long candidate = 0;
    //| if (threadIdx.x == 0)
    //|     atomicMax(&best[blockIdx.x / 4], candidate);
    //@ wrong result: among equal numbers of a block the last one wins
    //| unsigned long long candidate = 0;
    //| if (i < n)
    //|     candidate = (unsigned long long)in[i] << 32 | i;
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     candidate = max(candidate, __shfl_down_sync(0xffffffff, candidate, distance));
    //| __shared__ unsigned long long warps[8];
    //| if (threadIdx.x % 32 == 0)
    //|     warps[threadIdx.x / 32] = candidate;
    //| __syncthreads();
    //| if (threadIdx.x == 0) {
    //|     for (int k = 1; k < 8; k++)
    //|         candidate = max(candidate, warps[k]);
    //|     unsigned int last = candidate;
    //|     candidate = candidate >> 32 << 32 | (0xffffffffu - last);
    //|     atomicMax(&best[blockIdx.x / 4], candidate);
    //| }
    //@ wrong result: the value is shifted in 32 bits, so it is lost
    //| unsigned long long candidate = 0;
    //| if (i < n)
    //|     candidate = (unsigned int)in[i] << 31 << 1 | (0xffffffffu - i);
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     candidate = max(candidate, __shfl_down_sync(0xffffffff, candidate, distance));
    //| __shared__ unsigned long long warps[8];
    //| if (threadIdx.x % 32 == 0)
    //|     warps[threadIdx.x / 32] = candidate;
    //| __syncthreads();
    //| if (threadIdx.x == 0) {
    //|     for (int k = 1; k < 8; k++)
    //|         candidate = max(candidate, warps[k]);
    //|     atomicMax(&best[blockIdx.x / 4], candidate);
    //| }
    //@ wrong gate global_reductions: one atomic per warp is eight times as many as needed
    //| unsigned long long candidate = 0;
    //| if (i < n)
    //|     candidate = (unsigned long long)in[i] << 32 | (0xffffffffu - i);
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     candidate = max(candidate, __shfl_down_sync(0xffffffff, candidate, distance));
    //| if (threadIdx.x % 32 == 0)
    //|     atomicMax(&best[blockIdx.x / 4], candidate);
    //@ wrong race: the candidates of the warps are read before they are all written
    //| unsigned long long candidate = 0;
    //| if (i < n)
    //|     candidate = (unsigned long long)in[i] << 32 | (0xffffffffu - i);
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     candidate = max(candidate, __shfl_down_sync(0xffffffff, candidate, distance));
    //| __shared__ unsigned long long warps[8];
    //| if (threadIdx.x % 32 == 0)
    //|     warps[threadIdx.x / 32] = candidate;
    //| if (threadIdx.x == 0) {
    //|     for (int k = 1; k < 8; k++)
    //|         candidate = max(candidate, warps[k]);
    //|     atomicMax(&best[blockIdx.x / 4], candidate);
    //| }
    //@ wrong race: the blocks compare and replace the word without an atomic
    //| unsigned long long candidate = 0;
    //| if (i < n)
    //|     candidate = (unsigned long long)in[i] << 32 | (0xffffffffu - i);
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     candidate = max(candidate, __shfl_down_sync(0xffffffff, candidate, distance));
    //| __shared__ unsigned long long warps[8];
    //| if (threadIdx.x % 32 == 0)
    //|     warps[threadIdx.x / 32] = candidate;
    //| __syncthreads();
    //| if (threadIdx.x == 0) {
    //|     for (int k = 1; k < 8; k++)
    //|         candidate = max(candidate, warps[k]);
    //|     if (candidate > best[blockIdx.x / 4])
    //|         best[blockIdx.x / 4] = candidate;
    //| }
    //@ right: a maximum, and a vote for the lowest lane that has it
    //| __shared__ int most[8], at[8];
    //| int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    //| int value = i < n ? in[i] : -1;
    //| int high = value;
    //| for (int d = 16; d > 0; d /= 2)
    //|     high = max(high, __shfl_xor_sync(0xffffffff, high, d));
    //| unsigned who = __ballot_sync(0xffffffff, value == high);
    //| if (lane == __ffs(who) - 1) {
    //|     most[warp] = high;
    //|     at[warp] = i;
    //| }
    //| __syncthreads();
    //| if (threadIdx.x == 0) {
    //|     int w = 0;
    //|     for (int k = 1; k < 8; k++)
    //|         if (most[k] > most[w])
    //|             w = k;
    //|     unsigned long long candidate = (unsigned long long)(unsigned)most[w] << 32 | (0xffffffffu - (unsigned)at[w]);
    //|     atomicMax(&best[blockIdx.x / 4], candidate);
    //| }
    //@ right: two passes, and two loads per warp
    //| __shared__ int most, at;
    //| if (threadIdx.x == 0) { most = -1; at = 0x7fffffff; }
    //| __syncthreads();
    //| if (i < n) atomicMax(&most, in[i]);
    //| __syncthreads();
    //| if (i < n && in[i] == most) atomicMin(&at, i);
    //| __syncthreads();
    //| if (threadIdx.x == 0)
    //|     atomicMax(&best[i / 1024], ((unsigned long long)most << 32) | (0xffffffffu - at));
    //@ right: a loop of compare-and-swap
    //| __shared__ unsigned long long tile[256];
    //| int t = threadIdx.x;
    //| tile[t] = i < n ? ((unsigned long long)in[i] << 32) | (unsigned)~i : 0;
    //| __syncthreads();
    //| for (int half = 128; half > 0; half /= 2) {
    //|     if (t < half) tile[t] = max(tile[t], tile[t + half]);
    //|     __syncthreads();
    //| }
    //| if (t == 0) {
    //|     unsigned long long old = *(volatile unsigned long long*)&best[i / 1024];
    //|     while (old < tile[0]) {
    //|         unsigned long long assumed = old;
    //|         old = atomicCAS(&best[i / 1024], assumed, tile[0]);
    //|         if (old == assumed) break;
    //|     }
    //| }
    //@ end
}

/// The indices in the best candidates.
extern "C" __global__ void unpack(const unsigned long long* best, int* time, int days) {
    int day = blockIdx.x * blockDim.x + threadIdx.x;
    if (day < days)
        time[day] = 0xffffffffu - (unsigned int)best[day];
}

/// The lowest index of the largest number of day i.
__host__ __device__ int expected(const int* in, int n, int i) {
    int at = 1024 * i;
    for (int k = at + 1; k < n && k < 1024 * (i + 1); k++)
        at = in[k] > in[at] ? k : at;
    return at;
}
