//! # One barrier per tile
//!
//! Each of four blocks has 64 threads and works through `n` tiles of 64 numbers. Tile `s` of the block begins at
//! `mine[s * 64]`. Thread `t` adds up `(s + 1) * (x + 2 * y)` over all tiles, where `x` is number `63 - t` of tile `s` and
//! `y` is number `t`. So each number is needed by two threads. The result goes to `out[blockIdx.x * 64 + t]`.
//!
//! The tiles go through shared memory. With one buffer a loop needs two barriers per tile. Use two buffers and one
//! barrier.
//!
//! The goals: at most one barrier per tile and two more, and each number is loaded once.
//!
//! ## Hint
//! While the block reads one buffer, which one may be filled?
//!
//! ## Hint
//! Let iteration `s` store tile `s` in buffer `s % 2`, and use tile `s - 1` from the other one. Which accesses must the
//! barrier at the end of the iteration separate?
//!
//! ## Hint
//! The loop goes from 0 to `n`, one iteration more than there are tiles. In the first iteration there is nothing to
//! use, and in the last one nothing to store.
//!
//! ## Why it works
//! The barrier at the end of iteration `s` has two tasks. Tile `s` is complete for iteration `s + 1`. And all threads
//! have finished with tile `s - 1`, so that its buffer can be filled with tile `s + 1`.
//!
//! A thread can be ahead by one iteration at most, and there it fills the buffer that nobody reads. *Barriers* are about
//! half as many as with one buffer, and *global load requests* are the same.
//@ exercise write, 35 minutes
//@ gate barriers <= 4 * 2 * (n + 2)
//@ gate global_load_requests <= 4 * 2 * n
//@ input in: int[4 * 64 * n] = lcg256
//@ output out: int[4 * 64] = poison
//@ launch weigh(in, out, n) grid = 4, block = 64
//@ test 1, 2, 3, 4, 5, 31, 32, 33
//@ page 64
//@ equivalent `+` for `-` in `const int* before = tile[(s - 1) % 2];`: the tiles s - 1 and s + 1 have the same buffer
//@ equivalent `65` for `64` in `__shared__ int tile[2][64];`: a word that nobody uses
//@ equivalent `(64) + 1` for `64` in `__shared__ int tile[2][64];`: a word that nobody uses

extern "C" __global__ void weigh(const int* in, int* out, int n) {
    int t = threadIdx.x;
    const int* mine = in + blockIdx.x * n * 64;
    int sum = 0;
    //@ begin
    __shared__ int tile[2][64];
    for (int s = 0; s <= n; s++) {
        if (s < n)
            tile[s % 2][t] = mine[s * 64 + t];
        if (s > 0) {
            const int* before = tile[(s - 1) % 2];
            sum += s * (before[63 - t] + 2 * before[t]);
        }
        __syncthreads();
    }
    //@ starter
    //| // Bring tile after tile to shared memory, with two buffers and one barrier per tile.
    //@ wrong gate barriers: one buffer and two barriers per tile
    //| __shared__ int tile[64];
    //| for (int s = 0; s < n; s++) {
    //|     tile[t] = mine[s * 64 + t];
    //|     __syncthreads();
    //|     sum += (s + 1) * (tile[63 - t] + 2 * tile[t]);
    //|     __syncthreads();
    //| }
    //@ wrong race: one buffer is not enough for one barrier
    //| __shared__ int tile[64];
    //| for (int s = 0; s < n; s++) {
    //|     tile[t] = mine[s * 64 + t];
    //|     __syncthreads();
    //|     sum += (s + 1) * (tile[63 - t] + 2 * tile[t]);
    //| }
    //@ wrong race: there is a barrier after every second tile only
    //| __shared__ int tile[2][64];
    //| for (int s = 0; s <= n; s++) {
    //|     if (s < n)
    //|         tile[s % 2][t] = mine[s * 64 + t];
    //|     if (s > 0) {
    //|         const int* before = tile[(s - 1) % 2];
    //|         sum += s * (before[63 - t] + 2 * before[t]);
    //|     }
    //|     if (s % 2 == 0)
    //|         __syncthreads();
    //| }
    //@ wrong result: the weight is the number of the iteration that stores the tile, which begins at 0
    //| __shared__ int tile[2][64];
    //| for (int s = 0; s <= n; s++) {
    //|     if (s < n)
    //|         tile[s % 2][t] = mine[s * 64 + t];
    //|     if (s > 0) {
    //|         const int* before = tile[(s - 1) % 2];
    //|         sum += (s - 1) * (before[63 - t] + 2 * before[t]);
    //|     }
    //|     __syncthreads();
    //| }
    //@ wrong result: the loop ends before the last tile is used
    //| __shared__ int tile[2][64];
    //| for (int s = 0; s < n; s++) {
    //|     tile[s % 2][t] = mine[s * 64 + t];
    //|     if (s > 0) {
    //|         const int* before = tile[(s - 1) % 2];
    //|         sum += s * (before[63 - t] + 2 * before[t]);
    //|     }
    //|     __syncthreads();
    //| }
    //@ wrong bounds: the last iteration loads a tile that does not exist
    //| __shared__ int tile[2][64];
    //| for (int s = 0; s <= n; s++) {
    //|     tile[s % 2][t] = mine[s * 64 + t];
    //|     if (s > 0) {
    //|         const int* before = tile[(s - 1) % 2];
    //|         sum += s * (before[63 - t] + 2 * before[t]);
    //|     }
    //|     __syncthreads();
    //| }
    //@ right: the next tile is stored at the end of the loop
    //| __shared__ int tile[2][64];
    //| tile[0][t] = mine[t];
    //| __syncthreads();
    //| for (int s = 0; s < n; s++) {
    //|     int next = 0;
    //|     if (s + 1 < n)
    //|         next = mine[(s + 1) * 64 + t];
    //|     sum += (s + 1) * (tile[s % 2][63 - t] + 2 * tile[s % 2][t]);
    //|     if (s + 1 < n)
    //|         tile[(s + 1) % 2][t] = next;
    //|     __syncthreads();
    //| }
    //@ right: three buffers
    //| __shared__ int ring[3 * 64];
    //| for (int s = 0; s < n; s++) {
    //|     int* b = ring + s % 3 * 64;
    //|     int y = mine[s * 64 + t];
    //|     b[t] = y;
    //|     __syncthreads();
    //|     sum += (s + 1) * (b[63 - t] + 2 * y);
    //| }
    //@ right: two tiles ahead, in an array
    //| __shared__ int tile[2][64];
    //| int next[2] = {0, 0};
    //| for (int s = 0; s < n; s += 2) {
    //|     for (int k = 0; k < 2; k++)
    //|         if (s + k < n)
    //|             next[k] = mine[(s + k) * 64 + t];
    //|     for (int k = 0; k < 2; k++)
    //|         if (s + k < n) {
    //|             tile[k][t] = next[k];
    //|             __syncthreads();
    //|             sum += (s + k + 1) * (tile[k][63 - t] + 2 * next[k]);
    //|         }
    //| }
    //@ right: a reference to one of two arrays
    //| __shared__ int a[64], b[64];
    //| for (int s = 0; s < n; s++) {
    //|     auto& buffer = s % 2 ? a : b;
    //|     buffer[t] = mine[64 * s + t];
    //|     __syncthreads();
    //|     sum += (s + 1) * (buffer[63 - t] + 2 * buffer[t]);
    //| }
    //@ end
    out[blockIdx.x * 64 + t] = sum;
}

/// The weighted sum of thread i % 64 of block i / 64.
__host__ __device__ int expected(const int* in, int n, int i) {
    int sum = 0, t = i % 64;
    for (int s = 0; s < n; s++) {
        const int* tile = in + (i / 64 * n + s) * 64;
        sum += (s + 1) * (tile[63 - t] + 2 * tile[t]);
    }
    return sum;
}
