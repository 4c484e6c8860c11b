//! # Transpose a matrix in place
//!
//! Transpose a square matrix of `n` × `n` ints without a second array: after the launch, `data[row * n + col]` is what
//! was at `data[col * n + row]`.
//!
//! The grid has a block of 32 × 8 threads for each tile of 32 × 32. `n` may be any number from 1 on. You may use as
//! much shared memory as a block can have (48 KiB).
//!
//! The gates, at a size where all tiles are full: each sector is loaded once and stored once, and neither loads nor
//! stores of shared memory have bank conflicts. A thread may keep up to 16 words in an array of its own: NVIDIA's
//! compiler puts such an array into registers.
//!
//! ## Hint
//! A word and its mirror image exchange their places. If a block stores a tile before another block has loaded it, the
//! words are lost. So one block must have both tiles.
//!
//! ## Hint
//! The blocks below the diagonal can return at once: the block with `blockIdx.x > blockIdx.y` takes the tile at
//! (`blockIdx.y`, `blockIdx.x`) and its mirror image. A block on the diagonal has one tile only.
//!
//! ## Hint
//! Two arrays of 32 × 33 ints. Load both tiles along their rows, then a barrier, then store each at the place of the
//! other: the lane's index becomes the row in shared memory, as in the transpose with two arrays.
//!
//! ## Hint
//! On the diagonal it is simplest to treat the tile as its own mirror image, and to load and store it only once.
//! Each of the four accesses needs its own test for the edge: the tile at (by, bx) is cut off in another direction
//! than the one at (bx, by).
//!
//! ## Why it works
//! A tile and its mirror image depend on no other tile, so the block that has both in shared memory can store without
//! asking other blocks. The barrier orders all its loads before all its stores.
//!
//! *Global load sectors* and *global store sectors* are those of a copy: all accesses to global memory go along rows.
//! The transposing happens in shared memory, and one word of padding per row keeps its *conflicts* at zero.
//@ exercise write, 90 minutes
//@ gate global_load_sectors <= n * n / 8
//@ gate global_store_sectors <= n * n / 8
//@ gate shared_load_conflicts = 0
//@ gate shared_store_conflicts = 0
//@ output data: int[n * n] = lcg256
//@ launch transpose(data, n) grid = ((n + 31) / 32, (n + 31) / 32), block = (32, 8)
//@ test 1, 2, 31, 32, 33, 64, 67
//@ page 128
//@ equivalent `<=` for `<` in `if (!diagonal && left + k < n && top + x < n)`: the upper tile is whole, because another tile is to its right
//@ equivalent `-` for `+` in `if (!diagonal && left + k < n && top + x < n)`: the upper tile is whole, because another tile is to its right
//@ equivalent `<=` for `<` in `if (!diagonal && top + k < n && left + x < n)`: the upper tile is whole, because another tile is to its right
//@ equivalent `-` for `+` in `if (!diagonal && top + k < n && left + x < n)`: the upper tile is whole, because another tile is to its right

extern "C" __global__ void transpose(int* data, int n) {
    int x = threadIdx.x, y = threadIdx.y;
    //@ begin
    __shared__ int upper[32][33], lower[32][33];
    if (blockIdx.x < blockIdx.y)
        return;
    bool diagonal = blockIdx.x == blockIdx.y;
    int top = blockIdx.y * 32, left = blockIdx.x * 32;  // of the upper tile

    for (int k = y; k < 32; k += 8) {
        if (top + k < n && left + x < n)
            upper[k][x] = data[(top + k) * n + left + x];
        if (!diagonal && left + k < n && top + x < n)
            lower[k][x] = data[(left + k) * n + top + x];
    }
    __syncthreads();
    for (int k = y; k < 32; k += 8) {
        if (left + k < n && top + x < n)
            data[(left + k) * n + top + x] = upper[x][k];
        if (!diagonal && top + k < n && left + x < n)
            data[(top + k) * n + left + x] = lower[x][k];
    }
    //@ starter
    //| // Bring a tile and its mirror image to shared memory, and store each at the place of the other.
    //@ wrong race: each block moves its own tile, and overwrites words that another block has not loaded
    //| __shared__ int tile[32][33];
    //| int top = blockIdx.y * 32, left = blockIdx.x * 32;
    //| for (int k = y; k < 32; k += 8)
    //|     if (top + k < n && left + x < n)
    //|         tile[k][x] = data[(top + k) * n + left + x];
    //| __syncthreads();
    //| for (int k = y; k < 32; k += 8)
    //|     if (left + k < n && top + x < n)
    //|         data[(left + k) * n + top + x] = tile[x][k];
    //@ wrong race: both blocks of a pair of tiles exchange them
    //| __shared__ int upper[32][33], lower[32][33];
    //| int top = blockIdx.y * 32, left = blockIdx.x * 32;
    //| for (int k = y; k < 32; k += 8) {
    //|     if (top + k < n && left + x < n)
    //|         upper[k][x] = data[(top + k) * n + left + x];
    //|     if (left + k < n && top + x < n)
    //|         lower[k][x] = data[(left + k) * n + top + x];
    //| }
    //| __syncthreads();
    //| for (int k = y; k < 32; k += 8) {
    //|     if (left + k < n && top + x < n)
    //|         data[(left + k) * n + top + x] = upper[x][k];
    //|     if (top + k < n && left + x < n)
    //|         data[(top + k) * n + left + x] = lower[x][k];
    //| }
    //@ wrong gate global_load_sectors: each thread exchanges two words, one of them down a column
    //| for (int k = y; k < 32; k += 8) {
    //|     int row = blockIdx.y * 32 + k, col = blockIdx.x * 32 + x;
    //|     if (row < col && col < n) {
    //|         int word = data[row * n + col];
    //|         data[row * n + col] = data[col * n + row];
    //|         data[col * n + row] = word;
    //|     }
    //| }
    //@ wrong gate shared_load_conflicts: without padding, the lanes of a warp read 32 words of one bank
    //| __shared__ int upper[32][32], lower[32][32];
    //| if (blockIdx.x < blockIdx.y)
    //|     return;
    //| bool diagonal = blockIdx.x == blockIdx.y;
    //| int top = blockIdx.y * 32, left = blockIdx.x * 32;
    //| for (int k = y; k < 32; k += 8) {
    //|     if (top + k < n && left + x < n)
    //|         upper[k][x] = data[(top + k) * n + left + x];
    //|     if (!diagonal && left + k < n && top + x < n)
    //|         lower[k][x] = data[(left + k) * n + top + x];
    //| }
    //| __syncthreads();
    //| for (int k = y; k < 32; k += 8) {
    //|     if (left + k < n && top + x < n)
    //|         data[(left + k) * n + top + x] = upper[x][k];
    //|     if (!diagonal && top + k < n && left + x < n)
    //|         data[(top + k) * n + left + x] = lower[x][k];
    //| }
    //@ wrong race: without a barrier, words are read that other threads have not stored yet
    //| __shared__ int upper[32][33], lower[32][33];
    //| if (blockIdx.x < blockIdx.y)
    //|     return;
    //| bool diagonal = blockIdx.x == blockIdx.y;
    //| int top = blockIdx.y * 32, left = blockIdx.x * 32;
    //| for (int k = y; k < 32; k += 8) {
    //|     if (top + k < n && left + x < n)
    //|         upper[k][x] = data[(top + k) * n + left + x];
    //|     if (!diagonal && left + k < n && top + x < n)
    //|         lower[k][x] = data[(left + k) * n + top + x];
    //| }
    //| for (int k = y; k < 32; k += 8) {
    //|     if (left + k < n && top + x < n)
    //|         data[(left + k) * n + top + x] = upper[x][k];
    //|     if (!diagonal && top + k < n && left + x < n)
    //|         data[(top + k) * n + left + x] = lower[x][k];
    //| }
    //@ wrong bounds: one test for the edge is used for both tiles
    //| __shared__ int upper[32][33], lower[32][33];
    //| if (blockIdx.x < blockIdx.y)
    //|     return;
    //| bool diagonal = blockIdx.x == blockIdx.y;
    //| int top = blockIdx.y * 32, left = blockIdx.x * 32;
    //| for (int k = y; k < 32; k += 8) {
    //|     if (top + k < n && left + x < n) {
    //|         upper[k][x] = data[(top + k) * n + left + x];
    //|         if (!diagonal)
    //|             lower[k][x] = data[(left + k) * n + top + x];
    //|     }
    //| }
    //| __syncthreads();
    //| for (int k = y; k < 32; k += 8) {
    //|     if (top + k < n && left + x < n) {
    //|         data[(left + k) * n + top + x] = upper[x][k];
    //|         if (!diagonal)
    //|             data[(top + k) * n + left + x] = lower[x][k];
    //|     }
    //| }
    //@ end
}

/// What was at the mirror image of place i.
__host__ __device__ int expected(const int* data, int n, int i) {
    return data[i % n * n + i / n];
}
