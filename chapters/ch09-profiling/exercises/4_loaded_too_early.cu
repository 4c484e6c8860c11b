//! # Loaded too early
//!
//! Each of 256 threads adds up the squares of every 256th number, beginning with its own. It has few other warps beside
//! it, so it *prefetches*: in the source it loads the next number before it works on this one.
//!
//! Something is wrong at the ends of the loop. Mend it, and keep the prefetching: each number is loaded one iteration
//! before it is used. The check cannot see that: no counter of the traffic does. The goal: one load request per 32
//! numbers, and up to 16 more in all.
//!
//! ## Hint
//! Which number does a thread load in its last iteration? Does it exist?
//!
//! ## Hint
//! There may be threads without any number. What do they load before the loop?
//!
//! ## Hint
//! Both loads need a test: `i < n` before the loop, and `k + step < n` inside of it. What is loaded must become `now`
//! only after the old `now` has been used.
//!
//! ## Why it works
//! A prefetched load runs ahead of the loop by one iteration, so the loop's own condition does not protect it. Each load
//! must be tested with the index that it uses.
//!
//! *Global load requests* are the same as without prefetching: nothing is loaded twice. Only the order of the
//! instructions is different, and no counter of the traffic shows that. The compiler may move the load, too. So it takes
//! a measurement to see whether prefetching pays.
//@ exercise mend, 15 minutes
//@ gate global_load_requests <= n / 32 + 16
//@ input in: int[n] = lcg256
//@ output out: int[256] = poison
//@ launch squares(in, out, n) grid = 4, block = 64
//@ test 1, 31, 32, 33, 255, 256, 257, 512, 1021
//@ page 8192
//@ equivalent `<=` for `<` in `for (int k = i; k < n; k += step) {`: beyond the end, one more turn adds a zero
//@ equivalent `1` for `0` in `int now = i < n ? in[i] : 0;`: a thread behind the end adds nothing
//@ equivalent `1` for `0` in `int next = k + step < n ? in[k + step] : 0;`: after the last number of a thread nothing is added

extern "C" __global__ void squares(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    int sum = 0;
    //@ begin
    int now = i < n ? in[i] : 0;
    for (int k = i; k < n; k += step) {
        int next = k + step < n ? in[k + step] : 0;
        sum += now * now;
        now = next;
    }
    //@ starter
    //| int now = in[i];
    //| for (int k = i; k < n; k += step) {
    //|     int next = in[k + step];
    //|     sum += now * now;
    //|     now = next;
    //| }
    //@ wrong bounds: the load before the loop is not tested
    //| int now = in[i];
    //| for (int k = i; k < n; k += step) {
    //|     int next = k + step < n ? in[k + step] : 0;
    //|     sum += now * now;
    //|     now = next;
    //| }
    //@ wrong bounds: the load in the loop is tested with the index of the number before it
    //| int now = i < n ? in[i] : 0;
    //| for (int k = i; k < n; k += step) {
    //|     int next = k < n ? in[k + step] : 0;
    //|     sum += now * now;
    //|     now = next;
    //| }
    //@ wrong result: the loop ends one iteration early, and the last number is not added
    //| int now = i < n ? in[i] : 0;
    //| for (int k = i; k + step < n; k += step) {
    //|     int next = in[k + step];
    //|     sum += now * now;
    //|     now = next;
    //| }
    //@ wrong result: the new number replaces the old one before that was used
    //| int now = i < n ? in[i] : 0;
    //| for (int k = i; k < n; k += step) {
    //|     int next = k + step < n ? in[k + step] : 0;
    //|     now = next;
    //|     sum += now * now;
    //| }
    //@ wrong gate global_load_requests: the prefetched number is not used, and each number is loaded twice
    //| int now = i < n ? in[i] : 0;
    //| for (int k = i; k < n; k += step) {
    //|     int next = k + step < n ? in[k + step] : 0;
    //|     sum += in[k] * in[k];
    //|     now = next;
    //| }
    //@ right: the last iteration stands behind the loop
    //| if (i < n) {
    //|     int now = in[i];
    //|     for (int k = i + step; k < n; k += step) {
    //|         int next = in[k];
    //|         sum += now * now;
    //|         now = next;
    //|     }
    //|     sum += now * now;
    //| }
    //@ right: two iterations at once
    //| int a = i < n ? in[i] : 0, b = 0;
    //| for (int k = i; k < n; k += 2 * step) {
    //|     b = k + step < n ? in[k + step] : 0;
    //|     sum += a * a;
    //|     a = k + 2 * step < n ? in[k + 2 * step] : 0;
    //|     sum += b * b;
    //| }
    //@ right: the last prefetch begins again at the front
    //| int now = in[i % n];
    //| for (int k = i; k < n; k += step) {
    //|     int next = in[(k + step) % n];
    //|     sum += now * now;
    //|     now = next;
    //| }
    //@ end
    out[i] = sum;
}

/// The sum of thread i.
__host__ __device__ int expected(const int* in, int n, int i) {
    int sum = 0;
    for (int k = i; k < n; k += 256)
        sum += in[k] * in[k];
    return sum;
}
