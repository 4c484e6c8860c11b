//! # A counter of its own for every thread
//!
//! A histogram counts how many numbers fall into each of 16 bins. Here a block of 64 threads counts 2048 numbers, and
//! number `x` (0 to 255) falls into bin `x / 16`. So that no two threads change the same word, each thread has 16
//! counters of its own in shared memory. In the end they are added up, bin by bin.
//!
//! The kernel below is right, and needs no atomics. But its shared memory has conflicts when the counters are set to
//! zero and whenever a number is counted. Remove all of them, and bring none into the third part, the
//! adding up. Do not use atomics, and no local arrays.
//!
//! The goals: no conflicts in shared loads, none in shared stores, no shared atomics, no local memory.
//!
//! ## Hint
//! Counter `bin` of thread `t` is word `16 * t + bin`. In which banks are the counters of the 32 lanes of a warp, if
//! all lanes count into the same bin? And if each counts into another bin?
//!
//! ## Hint
//! Choose the place so that the bank depends on the thread only, and not on the bin. Then 32 lanes use 32 banks,
//! whatever they count.
//!
//! ## Hint
//! Word `64 * bin + t` is in bank `t % 32`, because 64 is a multiple of 32. But now the last part has a conflict:
//! thread `b` adds up the row of bin `b`, and all rows begin in the same bank.
//!
//! ## Hint
//! Padding the rows would undo the second hint. Instead let each of the 16 threads begin at another place of its row
//! and go around: in step `k` it reads column `(k + t) % 64`. Or let whole warps add up one row after the other.
//!
//! ## Why it works
//! A conflict is about the words that a warp accesses *at the same time*. While counting, the bins are data, so the
//! place must keep the lanes apart for any bins: that is a row of 64 (or 32) words per bin, with a column for each
//! thread. While adding up, the lanes have different rows and must be kept apart by their columns: a rotation does
//! that.
//!
//! *Shared load conflicts* and *shared store conflicts* are zero, and *shared load wavefronts* is the number of
//! loads.
//@ exercise improve, 60 minutes
//@ gate shared_load_conflicts = 0
//@ gate shared_store_conflicts = 0
//@ gate shared_atomics = 0
//@ gate local_requests = 0
//@ input in: int[n] = lcg256
//@ output out: int[16 * ((n + 2047) / 2048)] = poison
//@ launch histogram(in, out, n) grid = (n + 2047) / 2048, block = 64
//@ test 1, 31, 32, 33, 63, 64, 65, 2047, 2048, 2049
//@ page 4096

extern "C" __global__ void histogram(const int* in, int* out, int n) {
    __shared__ int counters[16 * 64];
    int t = threadIdx.x;
    int start = blockIdx.x * 2048;
    int end = min(start + 2048, n);
    //@ begin
    for (int bin = 0; bin < 16; bin++)
        counters[64 * bin + t] = 0;

    for (int i = start + t; i < end; i += 64)
        counters[64 * (in[i] / 16) + t]++;
    __syncthreads();

    if (t < 16) {
        int sum = 0;
        for (int k = 0; k < 64; k++)
            sum += counters[64 * t + (k + t) % 64];
        out[16 * blockIdx.x + t] = sum;
    }
    //@ starter
    //| for (int bin = 0; bin < 16; bin++)
    //|     counters[16 * t + bin] = 0;
    //|
    //| for (int i = start + t; i < end; i += 64)
    //|     counters[16 * t + in[i] / 16]++;
    //| __syncthreads();
    //|
    //| if (t < 16) {
    //|     int sum = 0;
    //|     for (int k = 0; k < 64; k++)
    //|         sum += counters[16 * k + t];
    //|     out[16 * blockIdx.x + t] = sum;
    //| }
    //@ wrong gate shared_load_conflicts: the counting has no conflicts, but the 16 rows that are added up begin in one bank
    //| for (int bin = 0; bin < 16; bin++)
    //|     counters[64 * bin + t] = 0;
    //| for (int i = start + t; i < end; i += 64)
    //|     counters[64 * (in[i] / 16) + t]++;
    //| __syncthreads();
    //| if (t < 16) {
    //|     int sum = 0;
    //|     for (int k = 0; k < 64; k++)
    //|         sum += counters[64 * t + k];
    //|     out[16 * blockIdx.x + t] = sum;
    //| }
    //@ wrong race: the rows overlap, so two threads share a counter
    //| for (int bin = 0; bin < 16; bin++)
    //|     counters[32 * bin + t] = 0;
    //| for (int i = start + t; i < end; i += 64)
    //|     counters[32 * (in[i] / 16) + t]++;
    //| __syncthreads();
    //| if (t < 16) {
    //|     int sum = 0;
    //|     for (int k = 0; k < 32; k++)
    //|         sum += counters[32 * t + (k + t) % 32];
    //|     out[16 * blockIdx.x + t] = sum;
    //| }
    //@ wrong race: one set of counters for all threads, and no atomics
    //| if (t < 16)
    //|     counters[t] = 0;
    //| __syncthreads();
    //| for (int i = start + t; i < end; i += 64)
    //|     counters[in[i] / 16]++;
    //| __syncthreads();
    //| if (t < 16)
    //|     out[16 * blockIdx.x + t] = counters[t];
    //@ wrong gate shared_atomics: one set of counters for all threads, with atomics
    //| if (t < 16)
    //|     counters[t] = 0;
    //| __syncthreads();
    //| for (int i = start + t; i < end; i += 64)
    //|     atomicAdd(&counters[in[i] / 16], 1);
    //| __syncthreads();
    //| if (t < 16)
    //|     out[16 * blockIdx.x + t] = counters[t];
    //@ wrong traffic: 16 threads read all numbers from global memory, one bin each
    //| if (t < 16) {
    //|     int count = 0;
    //|     for (int i = start; i < end; i++)
    //|         count += in[i] / 16 == t;
    //|     out[16 * blockIdx.x + t] = count;
    //| }
    //@ wrong uninitialised: the counters are not set to zero
    //| for (int i = start + t; i < end; i += 64)
    //|     counters[64 * (in[i] / 16) + t]++;
    //| __syncthreads();
    //| if (t < 16) {
    //|     int sum = 0;
    //|     for (int k = 0; k < 64; k++)
    //|         sum += counters[64 * t + (k + t) % 64];
    //|     out[16 * blockIdx.x + t] = sum;
    //| }
    //@ wrong gate shared_store_conflicts: with 17 words per thread the bank still depends on the bin
    //| __shared__ int padded[17 * 64];
    //| for (int bin = 0; bin < 16; bin++)
    //|     padded[17 * t + bin] = 0;
    //| for (int i = start + t; i < end; i += 64)
    //|     padded[17 * t + in[i] / 16]++;
    //| __syncthreads();
    //| if (t < 16) {
    //|     int sum = 0;
    //|     for (int k = 0; k < 64; k++)
    //|         sum += padded[17 * k + t];
    //|     out[16 * blockIdx.x + t] = sum;
    //| }
    //@ right: warps add up the bins with shuffles
    //| for (int bin = 0; bin < 16; bin++)
    //|     counters[64 * bin + t] = 0;
    //| for (int i = start + t; i < end; i += 64)
    //|     counters[64 * (in[i] / 16) + t] += 1;
    //| __syncthreads();
    //| // each warp adds up eight bins, with shuffles
    //| int warp = t / 32, lane = t % 32;
    //| for (int bin = 8 * warp; bin < 8 * warp + 8; bin++) {
    //|     int sum = counters[64 * bin + lane] + counters[64 * bin + 32 + lane];
    //|     for (int d = 16; d > 0; d /= 2)
    //|         sum += __shfl_down_sync(0xffffffff, sum, d);
    //|     if (lane == 0)
    //|         out[16 * blockIdx.x + bin] = sum;
    //| }
    //@ right: a copy into padded rows
    //| __shared__ int sums[16 * 65];
    //| for (int bin = 0; bin < 16; bin++)
    //|     counters[64 * bin + t] = 0;
    //| for (int i = start + t; i < end; i += 64)
    //|     counters[64 * (in[i] / 16) + t]++;
    //| for (int bin = 0; bin < 16; bin++)
    //|     sums[65 * bin + t] = counters[64 * bin + t];
    //| __syncthreads();
    //| if (t < 16) {
    //|     int sum = 0;
    //|     for (int k = 0; k < 64; k++)
    //|         sum += sums[65 * t + k];
    //|     out[16 * blockIdx.x + t] = sum;
    //| }
    //@ right: bytes of two 64-bit numbers
    //| unsigned long long low = 0, high = 0;  // eight bins of eight bits each
    //| for (int i = start + t; i < end; i += 64) {
    //|     int bin = in[i] / 16;
    //|     if (bin < 8) low += 1ull << (8 * bin);
    //|     else high += 1ull << (8 * (bin - 8));
    //| }
    //| int lane = t % 32, warp = t / 32;
    //| for (int bin = 0; bin < 16; bin++) {
    //|     int mine = (int)((bin < 8 ? low >> (8 * bin) : high >> (8 * (bin - 8))) & 255);
    //|     int sum = __reduce_add_sync(0xffffffff, mine);
    //|     if (lane == 0)
    //|         counters[16 * warp + bin] = sum;
    //| }
    //| __syncthreads();
    //| if (t < 16)
    //|     out[16 * blockIdx.x + t] = counters[t] + counters[16 + t];
    //@ end
}

/// How many numbers of block i / 16 are in bin i % 16.
__host__ __device__ int expected(const int* in, int n, int i) {
    int count = 0;
    for (int k = i / 16 * 2048; k < n && k < i / 16 * 2048 + 2048; k++)
        count += in[k] / 16 == i % 16;
    return count;
}
