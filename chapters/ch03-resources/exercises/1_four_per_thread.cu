//! # Four numbers per thread
//!
//! Compute `out[i] = a * x[i] + y[i]` for `n` numbers. The grid is small on purpose: a block has 256 threads and is
//! responsible for 1024 numbers, so each thread has four.
//!
//! A thread should have several loads in flight: its loads must not wait for each other. And the lanes of a warp
//! should load adjacent numbers.
//!
//! The gates: on average four sectors for a full warp's load of 32 numbers, and for its store.
//!
//! ## Hint
//! Which four numbers of the block's 1024 should thread 0 take, so that the lanes of its warp are neighbours in each
//! of the four rounds?
//!
//! ## Hint
//! Thread `t` takes the numbers `t`, `t + 256`, `t + 512` and `t + 768` of its block.
//!
//! ## Hint
//! The first number of a block is `blockIdx.x * 1024`. Each of the four numbers needs its own test against `n`,
//! because in the last block some of them exist and some do not.
//!
//! ## Why it works
//! The four rounds do not depend on one another, so the compiler can unroll the loop and issue all eight loads before
//! the first result is needed: with a quarter of the threads, as many bytes are in flight. This is instruction-level
//! parallelism, the second of the two ways in Little's law.
//!
//! The counters do not show it. *Sectors per load* shows that it cost nothing: the numbers of a thread lie 256 apart,
//! so those of neighbouring lanes lie side by side.
//@ exercise write, 15 minutes
//@ gate global_load_sectors <= n / 4 + 16
//@ gate global_store_sectors <= n / 8 + 8
//@ let a = 3
//@ input x: int[n] = lcg256
//@ input y: int[n] = ramp
//@ output out: int[n] = poison
//@ launch axpy(x, y, out, a, n) grid = (n + 1023) / 1024, block = 256
//@ test 1, 31, 255, 256, 257, 1023, 1024, 1025, 3001
//@ page 8192

extern "C" __global__ void axpy(
    const int* x, const int* y, int* out, int a, int n) {
    //@ begin
    for (int k = 0; k < 4; k++) {
        int i = blockIdx.x * 1024 + k * 256 + threadIdx.x;
        if (i < n)
            out[i] = a * x[i] + y[i];
    }
    //@ starter
    //| int i = blockIdx.x * 1024 + threadIdx.x;  // the first of four
    //| if (i < n)
    //|     out[i] = a * x[i] + y[i];
    //@ wrong gate global_load_sectors: a thread takes four adjacent numbers, so the lanes are no neighbours
    //| for (int k = 0; k < 4; k++) {
    //|     int i = blockIdx.x * 1024 + threadIdx.x * 4 + k;
    //|     if (i < n)
    //|         out[i] = a * x[i] + y[i];
    //| }
    //@ wrong result: one test for all four skips numbers that exist
    //| int i = blockIdx.x * 1024 + threadIdx.x;
    //| if (i + 768 < n) {
    //|     for (int k = 0; k < 4; k++)
    //|         out[i + k * 256] = a * x[i + k * 256] + y[i + k * 256];
    //| }
    //@ wrong bounds: only the first of the four numbers is tested
    //| int i = blockIdx.x * 1024 + threadIdx.x;
    //| if (i < n) {
    //|     for (int k = 0; k < 4; k++)
    //|         out[i + k * 256] = a * x[i + k * 256] + y[i + k * 256];
    //| }
    //@ wrong result: the blocks are 256 numbers apart, so the last numbers belong to no block
    //| for (int k = 0; k < 4; k++) {
    //|     int i = blockIdx.x * blockDim.x + k * 256 + threadIdx.x;
    //|     if (i < n)
    //|         out[i] = a * x[i] + y[i];
    //| }
    //@ end
}

/// a * x + y of element i.
__host__ __device__ int expected(const int* x, const int* y, int a, int i) {
    return a * x[i] + y[i];
}
