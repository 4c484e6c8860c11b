//! # A barrier in a loop
//!
//! One block of 64 threads goes through `n` numbers in chunks of 64. In each chunk it counts the numbers that are
//! larger than the first number of the chunk. The result is the count over all chunks. Thread 0 reads the first
//! number and puts it into shared memory, where the others find it.
//!
//! If `n` is a multiple of 64, the kernel is right. Otherwise the simulator reports a divergent barrier. Mend it, and
//! keep all threads of the block in step.
//!
//! ## Hint
//! Take `n` = 65. How many rounds of the loop does thread 0 execute, and how many does thread 1? After the first round,
//! which `__syncthreads()` comes next for each of them?
//!
//! ## Hint
//! All threads must go through the loop equally often. So the loop's condition may not depend on the thread.
//!
//! ## Hint
//! Let the loop run over the *start* of the chunk, from 0 to `n` in steps of 64. Compute `i` in it, and put the test
//! `i < n` around the comparison, not around the barriers.
//!
//! ## Why it works
//! A barrier is for all threads of the block that have not returned. With `n` = 65, one thread was waiting at a
//! barrier in the loop. The other 63 had left the loop, and their next barrier is on another line. (The finding names
//! 1 thread at the barrier in the loop and 32 at the other one, the whole second warp. The 31 that it says cannot reach
//! the barrier are the rest of the first warp: they wait for this thread at the end of the loop.) A GPU may count these
//! arrivals together and go on with wrong data.
//!
//! Now the number of rounds is the same for all threads, so all warps pass equally many *barriers*. The second barrier
//! of the loop is needed, too: without it thread 0 overwrites `first` while others still compare with it.
//@ exercise mend, 25 minutes
//@ input in: int[n] = lcg256
//@ output out: int[1] = poison
//@ launch count_larger(in, out, n) grid = 1, block = 64
//@ test 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 509
//@ page 1021

extern "C" __global__ void count_larger(const int* in, int* out, int n) {
    __shared__ int first;
    __shared__ int counts[64];
    int t = threadIdx.x;
    int count = 0;
    //@ begin
    for (int start = 0; start < n; start += 64) {
        int i = start + t;
        if (t == 0)
            first = in[i];
        __syncthreads();
        if (i < n)
            count += in[i] > first;
        __syncthreads();
    }
    //@ starter
    //| for (int i = t; i < n; i += 64) {
    //|     if (t == 0)
    //|         first = in[i];
    //|     __syncthreads();
    //|     count += in[i] > first;
    //|     __syncthreads();
    //| }
    //@ wrong barrier: the threads without a number skip the barriers
    //| for (int start = 0; start < n; start += 64) {
    //|     int i = start + t;
    //|     if (i < n) {
    //|         if (t == 0)
    //|             first = in[i];
    //|         __syncthreads();
    //|         count += in[i] > first;
    //|         __syncthreads();
    //|     }
    //| }
    //@ wrong race: thread 0 may write the next first number while others still compare
    //| for (int start = 0; start < n; start += 64) {
    //|     int i = start + t;
    //|     if (t == 0)
    //|         first = in[i];
    //|     __syncthreads();
    //|     if (i < n)
    //|         count += in[i] > first;
    //| }
    //@ wrong race: nobody waits until the first number has been written
    //| for (int start = 0; start < n; start += 64) {
    //|     int i = start + t;
    //|     if (t == 0)
    //|         first = in[i];
    //|     if (i < n)
    //|         count += in[i] > first;
    //|     __syncthreads();
    //| }
    //@ wrong bounds: the threads without a number read one
    //| for (int start = 0; start < n; start += 64) {
    //|     int i = start + t;
    //|     if (t == 0)
    //|         first = in[i];
    //|     __syncthreads();
    //|     count += in[i] > first;
    //|     __syncthreads();
    //| }
    //@ wrong serial: thread 0 compares all numbers, so no barrier is needed, and nothing is parallel
    //| if (t == 0) {
    //|     for (int i = 0; i < n; i++)
    //|         count += in[i] > in[i - i % 64];
    //| }
    //@ wrong result: only full chunks are counted
    //| for (int start = 0; start < n / 64 * 64; start += 64) {
    //|     if (t == 0)
    //|         first = in[start];
    //|     __syncthreads();
    //|     count += in[start + t] > first;
    //|     __syncthreads();
    //| }
    //@ right: two buffers, and one barrier
    //| __shared__ int firsts[2];
    //| int turn = 0;
    //| for (int start = 0; start < n; start += 64) {
    //|     int i = start + t;
    //|     int value = i < n ? in[i] : 0;
    //|     if (t == 0)
    //|         firsts[turn] = value;
    //|     __syncthreads();
    //|     count += i < n && value > firsts[turn];
    //|     turn ^= 1;
    //| }
    //| first = 0;
    //@ right: a vote of the block is the condition
    //| int i = t;
    //| while (__syncthreads_or(i < n)) {
    //|     if (t == 0)
    //|         first = in[i];
    //|     __syncthreads();
    //|     if (i < n && in[i] > first)
    //|         count++;
    //|     i += 64;
    //| }
    //@ right: an index that is clamped
    //| int last = (n - 1) / 64 * 64 + t;
    //| for (int i = t; i <= last; i += 64) {
    //|     if (t == 0)
    //|         first = in[i];
    //|     __syncthreads();
    //|     count += in[min(i, n - 1)] > first && i < n;
    //|     __syncthreads();
    //| }
    //@ end
    counts[t] = count;
    __syncthreads();
    if (t == 0) {
        int all = 0;
        for (int k = 0; k < 64; k++)
            all += counts[k];
        *out = all;
    }
}

/// How many numbers are larger than the first of their chunk.
__host__ __device__ int expected(const int* in, int n, int i) {
    int count = 0;
    for (int k = 0; k < n; k++)
        count += in[k] > in[k - k % 64];
    return count;
}
