//! # Eight channels, eight amounts of work
//!
//! A recording has eight channels, and their samples alternate: sample `i` belongs to channel `i % 8`. A sample of
//! channel `c` is filtered `4 * c` times. A block of 256 threads takes 256 samples.
//!
//! The kernel below is right, but in each warp every channel occurs: some lanes are done at once, others take 28
//! rounds, and the warp goes on until the last one is done. Distribute the 256 samples of a block so that all lanes
//! of a warp have samples of *one* channel.
//!
//! The goal: at most one divergent branch per block, at a size where all blocks are full.
//!
//! ## Hint
//! The loop need not change. Only the line that says which sample the thread takes does.
//!
//! ## Hint
//! A block has eight warps, and there are eight channels. Let warp `w` take channel `w`.
//!
//! ## Hint
//! Which samples of the block belong to channel `w`? Those with the index `8 * k + w`, for `k` from 0 to 31. Lane `k`
//! takes this one.
//!
//! ## Why it works
//! A warp needs as many rounds as its slowest lane. If the lanes of a warp have equally much work, no lane waits, and
//! the warp of channel 0 is done at once: *warp instructions* falls, and *divergent branches* goes to zero.
//!
//! It has a price. The lanes of a warp now load numbers that are eight apart, so *sectors per load* rises. Whether
//! that is worth it depends on how long the work is. Chapter 6 shows how to have both.
//@ exercise improve, 30 minutes
//@ gate divergent_branches <= n / 256
//@ input in: unsigned int[n] = lcg256
//@ output out: unsigned int[n] = poison
//@ launch channels(in, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021
//@ page 4096
//@ equivalent `(threadIdx.x - 1)` for `threadIdx.x` in `int warp = threadIdx.x / 32, lane = threadIdx.x % 32;`: the lanes of a warp exchange their places
//@ equivalent `(threadIdx.x + 1)` for `threadIdx.x` in `int warp = threadIdx.x / 32, lane = threadIdx.x % 32;`: the lanes of a warp exchange their places
//@ equivalent `warp` for `i` in `int rounds = i % 8 * 4;`: the rest of `i` by 8 is the number of the warp

/// One round of the filter.
__device__ unsigned int filter(unsigned int x) {
    return (x * 1664525u + 1013904223u) ^ (x >> 15);
}

extern "C" __global__ void channels(
    const unsigned int* in, unsigned int* out, int n) {
    //@ begin
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int i = blockIdx.x * 256 + lane * 8 + warp;
    if (i < n) {
        unsigned int x = in[i];
        int rounds = i % 8 * 4;
        for (int k = 0; k < rounds; k++)
            x = filter(x);
        out[i] = x;
    }
    //@ starter
    //| int i = blockIdx.x * 256 + threadIdx.x;
    //| if (i < n) {
    //|     unsigned int x = in[i];
    //|     int rounds = i % 8 * 4;
    //|     for (int k = 0; k < rounds; k++)
    //|         x = filter(x);
    //|     out[i] = x;
    //| }
    //@ wrong gate divergent_branches: a warp has samples of four channels
    //| int i = blockIdx.x * 256 + threadIdx.x % 8 * 32 + threadIdx.x / 8;
    //| if (i < n) {
    //|     unsigned int x = in[i];
    //|     int rounds = i % 8 * 4;
    //|     for (int k = 0; k < rounds; k++)
    //|         x = filter(x);
    //|     out[i] = x;
    //| }
    //@ wrong result: the rounds are those of the warp's channel, but the samples are not
    //| int i = blockIdx.x * 256 + threadIdx.x;
    //| if (i < n) {
    //|     unsigned int x = in[i];
    //|     int rounds = threadIdx.x / 32 * 4;
    //|     for (int k = 0; k < rounds; k++)
    //|         x = filter(x);
    //|     out[i] = x;
    //| }
    //@ wrong result: all blocks take the samples of the first block
    //| int i = threadIdx.x % 32 * 8 + threadIdx.x / 32;
    //| if (i < n) {
    //|     unsigned int x = in[i];
    //|     int rounds = i % 8 * 4;
    //|     for (int k = 0; k < rounds; k++)
    //|         x = filter(x);
    //|     out[i] = x;
    //| }
    //@ wrong bounds: in the last block a thread exists and its sample does not
    //| int i = blockIdx.x * 256 + threadIdx.x % 32 * 8 + threadIdx.x / 32;
    //| if (blockIdx.x * 256 + threadIdx.x < n) {
    //|     unsigned int x = in[i];
    //|     int rounds = i % 8 * 4;
    //|     for (int k = 0; k < rounds; k++)
    //|         x = filter(x);
    //|     out[i] = x;
    //| }
    //@ right: through shared memory, so that the loads are coalesced
    //| __shared__ unsigned int tile[256];
    //| int t = threadIdx.x, base = blockIdx.x * 256;
    //| tile[t] = base + t < n ? in[base + t] : 0;
    //| __syncthreads();
    //| int s = t % 32 * 8 + t / 32;
    //| unsigned int x = tile[s];
    //| for (int k = 0; k < s % 8; k++) {
    //|     x = filter(x);
    //|     x = filter(x);
    //|     x = filter(x);
    //|     x = filter(x);
    //| }
    //| tile[s] = x;
    //| __syncthreads();
    //| if (base + t < n)
    //|     out[base + t] = tile[t];
    //@ right: a `switch` that falls through
    //| int i = blockIdx.x * 256 + threadIdx.x % 32 * 8 + threadIdx.x / 32;
    //| unsigned int x = i < n ? in[i] : 0;
    //| switch (i % 8) {
    //|     case 7: for (int k = 0; k < 4; k++) x = filter(x);
    //|     case 6: for (int k = 0; k < 4; k++) x = filter(x);
    //|     case 5: for (int k = 0; k < 4; k++) x = filter(x);
    //|     case 4: for (int k = 0; k < 4; k++) x = filter(x);
    //|     case 3: for (int k = 0; k < 4; k++) x = filter(x);
    //|     case 2: for (int k = 0; k < 4; k++) x = filter(x);
    //|     case 1: for (int k = 0; k < 4; k++) x = filter(x);
    //| }
    //| if (i < n)
    //|     out[i] = x;
    //@ right: the factors computed, without a table
    //| int t = threadIdx.x;
    //| int i = blockIdx.x * 256 + (t == 255 ? 255 : 8 * t % 255);
    //| if (i < n) {
    //|     unsigned int x = in[i];
    //|     for (int k = 0; k < i % 8 * 4; k++)
    //|         x = filter(x);
    //|     out[i] = x;
    //| }
    //@ end
}

/// Sample i, filtered as often as its channel says.
__host__ __device__ unsigned int expected(const unsigned int* in, int i) {
    unsigned int x = in[i];
    for (int k = i % 8; k > 0; k--) {
        for (int four = 0; four < 4; four++)
            x = (1664525u * x + 1013904223u) ^ (x >> 15);
    }
    return x;
}
