//! # The smallest and the largest, in one launch
//!
//! The kernel writes the smallest of `n` numbers to `range[0]` and the largest to `range[1]`. Each block finds those of
//! its 128 numbers, and leaves them in `lows` and `highs`. The block that finishes last combines them.
//!
//! The simulator finds a race. The result can be right all the same, also on a GPU. Mend it.
//!
//! ## Hint
//! Which two accesses does the message name, and of which blocks? What do you rely on between them?
//!
//! ## Hint
//! The last block sees the complete count. From that it does not follow that it sees what the others stored before
//! they counted.
//!
//! ## Hint
//! `__threadfence()` between the stores and `atomicInc`, and another one between `atomicInc` and the loads of the last
//! block. Where must the second one stand, so that it counts for all threads that load?
//!
//! ## Why it works
//! The first fence orders a block's results before its count. The second orders the loads of the last block after the
//! complete count. CUDA's memory model asks for both. (The simulator reports a race if the first is missing. It does
//! not report a missing second one, because the barrier stands between the atomic and the loads.)
//!
//! `atomicInc` returns the old count, and after the last block it wraps around to 0 by itself, so that the next launch
//! finds it as the first one did. There is one *global atomic* per block, the smallest price of a single launch.
//@ exercise mend, 25 minutes
//@ let blocks = (n + 127) / 128
//@ input in: int[n] = lcg256
//@ scratch lows: int[blocks] = poison
//@ scratch highs: int[blocks] = poison
//@ output range: int[2] = poison
//@ launch find_range(in, lows, highs, range, n) grid = blocks, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 257, 300, 385, 509, 641
//@ page 4096
//@ equivalent `-=` for `+=` in `for (int b = t; b < gridDim.x; b += 128) {`: up to 16384 numbers the loop runs once; of more, all 256 values are among the first
//@ equivalent `1` for `0` in `if (t == 0) {`: any one thread may count
//@ equivalent `127` for `128` in `for (int b = t; b < gridDim.x; b += 128) {`: the range of a block may be taken into account twice
//@ equivalent `129` for `128` in `for (int b = t; b < gridDim.x; b += 128) {`: up to 16384 numbers the loop runs once; of more, all 256 values are among the first

/// The blocks that have left their results.
__device__ unsigned int done = 0;

extern "C" __global__ void find_range(
    const int* in, int* lows, int* highs, int* range, int n) {
    __shared__ int low, high;
    __shared__ bool last;
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    if (t == 0)
        low = high = in[i];
    __syncthreads();
    if (i < n) {
        atomicMin(&low, in[i]);
        atomicMax(&high, in[i]);
    }
    __syncthreads();
    //@ begin
    if (t == 0) {
        lows[blockIdx.x] = low;
        highs[blockIdx.x] = high;
        __threadfence();
        last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    for (int b = t; b < gridDim.x; b += 128) {
        atomicMin(&low, lows[b]);
        atomicMax(&high, highs[b]);
    }
    //@ starter
    //| if (t == 0) {
    //|     lows[blockIdx.x] = low;
    //|     highs[blockIdx.x] = high;
    //|     last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    //| }
    //| __syncthreads();
    //| if (!last)
    //|     return;
    //| for (int b = t; b < gridDim.x; b += 128) {
    //|     atomicMin(&low, lows[b]);
    //|     atomicMax(&high, highs[b]);
    //| }
    //@ wrong race: the first fence stands behind the atomic, so the stores may come after the count
    //| if (t == 0) {
    //|     lows[blockIdx.x] = low;
    //|     highs[blockIdx.x] = high;
    //|     last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    //|     __threadfence();
    //| }
    //| __syncthreads();
    //| if (!last)
    //|     return;
    //| __threadfence();
    //| for (int b = t; b < gridDim.x; b += 128) {
    //|     atomicMin(&low, lows[b]);
    //|     atomicMax(&high, highs[b]);
    //| }
    //@ wrong race: a fence for the block says nothing to other blocks
    //| if (t == 0) {
    //|     lows[blockIdx.x] = low;
    //|     highs[blockIdx.x] = high;
    //|     __threadfence_block();
    //|     last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    //| }
    //| __syncthreads();
    //| if (!last)
    //|     return;
    //| __threadfence_block();
    //| for (int b = t; b < gridDim.x; b += 128) {
    //|     atomicMin(&low, lows[b]);
    //|     atomicMax(&high, highs[b]);
    //| }
    //@ wrong result: the count is not set back, so the next launch has no last block
    //| if (t == 0) {
    //|     lows[blockIdx.x] = low;
    //|     highs[blockIdx.x] = high;
    //|     __threadfence();
    //|     last = atomicAdd(&done, 1) == gridDim.x - 1;
    //| }
    //| __syncthreads();
    //| if (!last)
    //|     return;
    //| __threadfence();
    //| for (int b = t; b < gridDim.x; b += 128) {
    //|     atomicMin(&low, lows[b]);
    //|     atomicMax(&high, highs[b]);
    //| }
    //@ right: every thread has a fence
    //| if (t == 0) {
    //|     lows[blockIdx.x] = low;
    //|     highs[blockIdx.x] = high;
    //| }
    //| __threadfence();
    //| __syncthreads();
    //| if (t == 0)
    //|     last = atomicAdd(&done, 1) == gridDim.x - 1;
    //| __syncthreads();
    //| if (!last)
    //|     return;
    //| __threadfence();
    //| if (t == 0)
    //|     done = 0;
    //| for (int b = t; b < gridDim.x; b += 128) {
    //|     atomicMin(&low, lows[b]);
    //|     atomicMax(&high, highs[b]);
    //| }
    //@ right: the results are `volatile`
    //| if (t == 0) {
    //|     ((volatile int*)lows)[blockIdx.x] = low;
    //|     ((volatile int*)highs)[blockIdx.x] = high;
    //|     __threadfence();
    //|     last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    //|     __threadfence();
    //| }
    //| __syncthreads();
    //| if (last) {
    //|     for (int b = t; b < gridDim.x; b += 128) {
    //|         atomicMin(&low, ((volatile int*)lows)[b]);
    //|         atomicMax(&high, ((volatile int*)highs)[b]);
    //|     }
    //| } else {
    //|     return;
    //| }
    //@ right: a vote of the block tells who is last
    //| if (t < 2) {
    //|     (t == 0 ? lows : highs)[blockIdx.x] = t == 0 ? low : high;
    //|     __threadfence();
    //| }
    //| __syncthreads();
    //| bool mine = false;
    //| if (t == 0)
    //|     mine = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
    //| if (!__syncthreads_or(mine))
    //|     return;
    //| __threadfence();
    //| for (int b = t; b < gridDim.x; b += 128) {
    //|     atomicMin(&low, lows[b]);
    //|     atomicMax(&high, highs[b]);
    //| }
    //@ end
    __syncthreads();
    if (t == 0) {
        range[0] = low;
        range[1] = high;
    }
}

/// The smallest number (i = 0) or the largest (i = 1).
__host__ __device__ int expected(const int* in, int n, int i) {
    int best = in[0];
    for (int k = 1; k < n; k++)
        best = i == 0 ? min(best, in[k]) : max(best, in[k]);
    return best;
}
