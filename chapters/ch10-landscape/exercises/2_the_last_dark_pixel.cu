//! # The last dark pixel
//!
//! A loop on the CPU looks for the last dark pixel of an image, one whose value is below 4:
//!
//! ```text
//! last = 0;
//! for (i = 0; i < n; i++)
//!     if (in[i] < 4)
//!         last = i + 1;
//! ```
//!
//! The result is one more than the index, and 0 if there is no dark pixel. In the kernel each thread does one iteration
//! of this loop. `last[0]` is zero before the launch. Mend it.
//!
//! ## Hint
//! Why does the last assignment win on the CPU? What gives the threads of a grid an order?
//!
//! ## Hint
//! "The last one" depends on an order. Can you say what the result is without naming an order?
//!
//! ## Hint
//! It is the *largest* `i + 1` of all dark pixels. There is an atomic for that.
//!
//! ## Why it works
//! The loop's result depends on the order of its iterations, and a grid has none. The largest index does not depend on
//! any order, so it may be computed by any number of threads at the same time. To move a loop to a GPU, first say what
//! it computes without its order.
//!
//! `atomicMax` reads, compares and stores as one step. Its result is not used here, so it counts as a *global
//! reduction*, one per warp that has a dark pixel. To have fewer, let the warps of a block find their largest index in
//! shared memory first: then there is one per block.
//@ exercise mend, 12 minutes
//@ input in: int[n] = ramp
//@ output last: int[1] = zero
//@ launch find(in, last, n) grid = (n + 127) / 128, block = 128
//@ test 1, 2, 3, 5, 31, 32, 33, 63, 65, 127, 128, 129, 200, 300, 400, 509, 777, 1021
//@ page 4096

extern "C" __global__ void find(const int* in, int* last, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    if (i < n && in[i] < 4)
        atomicMax(last, i + 1);
    //@ starter
    //| if (i < n && in[i] < 4)
    //|     last[0] = i + 1;
    //@ wrong race: another thread may store between the comparison and the assignment
    //| if (i < n && in[i] < 4 && last[0] < i + 1)
    //|     last[0] = i + 1;
    //@ wrong result: the exchange is atomic, but the last thread to run wins, not the largest index
    //| if (i < n && in[i] < 4)
    //|     atomicExch(last, i + 1);
    //@ wrong result: the index itself is stored, so pixel 0 looks like none
    //| if (i < n && in[i] < 4)
    //|     atomicMax(last, i);
    //@ wrong bounds: the last block has threads beyond the last pixel
    //| if (in[i] < 4)
    //|     atomicMax(last, i + 1);
    //@ wrong result: the number of dark pixels is counted
    //| if (i < n && in[i] < 4)
    //|     atomicAdd(last, 1);
    //@ right: one atomic per warp
    //| unsigned int dark = __ballot_sync(0xffffffffu, i < n && in[min(i, n - 1)] < 4);
    //| if (threadIdx.x % 32 == 0 && dark != 0)
    //|     atomicMax(last, i + 32 - __clz(dark));
    //@ right: a loop of compare-and-swap
    //| if (i < n && in[i] < 4) {
    //|     int old = last[0], assumed;
    //|     while (old < i + 1) {
    //|         assumed = old;
    //|         old = atomicCAS(last, assumed, i + 1);
    //|         if (old == assumed)
    //|             break;
    //|     }
    //| }
    //@ right: a loop of compare-and-swap with a variable `expected`
    //| if (i < n && in[i] < 4) {
    //|     int expected = *last, desired = i + 1;
    //|     while (expected < desired) {
    //|         int found = atomicCAS(last, expected, desired);
    //|         if (found == expected)
    //|             break;
    //|         expected = found;
    //|     }
    //| }
    //@ right: a tree in shared memory, and an atomic for each block
    //| __shared__ int s[128];
    //| int t = threadIdx.x;
    //| s[t] = i < n && in[i] < 4 ? i + 1 : 0;
    //| for (int d = 64; d > 0; d /= 2) {
    //|     __syncthreads();
    //|     if (t < d) s[t] = max(s[t], s[t + d]);
    //| }
    //| if (t == 0) atomicMax(&last[0], s[0]);
    //@ right: `expected` is declared beside another variable
    //| if (i < n && in[i] < 4) {
    //|     int old = last[0], expected;
    //|     do {
    //|         expected = old;
    //|         if (expected >= i + 1) break;
    //|         old = atomicCAS(last, expected, i + 1);
    //|     } while (old != expected);
    //| }
    //@ end
}

__host__ __device__ int expected(const int* in, int n, int i) {
    int last = 0;
    for (int k = 0; k < n; k++)
        if (in[k] < 4)
            last = k + 1;
    return last;
}
