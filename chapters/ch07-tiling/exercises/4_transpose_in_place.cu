//! # Transpose a matrix in place
//!
//! Transpose a square matrix of `n` × `n` ints without a second array: after the launch, `data[row * n + col]` is what
//! was at `data[col * n + row]`.
//!
//! The grid has a block of 32 × 8 threads for each tile of 32 × 32. `n` may be any number from 1 on. You may use as
//! much shared memory as a block has without opting in, 48 KiB.
//!
//! The goals, at a size where all tiles are full: each sector is loaded once and stored once, and neither loads nor
//! stores of shared memory have bank conflicts. A thread may also keep words in an array of its own, up to 16:
//! NVIDIA's compiler puts such an array into registers. The check rejects larger ones.
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
    //@ right: a swizzle, and one tile in registers
    //| __shared__ int a[32][32], b[32][32];
    //| int bx = blockIdx.x, by = blockIdx.y;
    //| if (bx < by)
    //|     return;
    //| for (int r = y; r < 32; r += 8) {
    //|     int row = by * 32 + r, col = bx * 32 + x;
    //|     a[r][x ^ r] = row < n && col < n ? data[row * n + col] : 0;
    //|     row = bx * 32 + r, col = by * 32 + x;
    //|     if (bx != by)
    //|         b[r][x ^ r] = row < n && col < n ? data[row * n + col] : 0;
    //| }
    //| __syncthreads();
    //| for (int r = y; r < 32; r += 8) {
    //|     int row = bx * 32 + r, col = by * 32 + x;
    //|     if (row < n && col < n)
    //|         data[row * n + col] = a[x][r ^ x];
    //|     row = by * 32 + r, col = bx * 32 + x;
    //|     if (bx != by && row < n && col < n)
    //|         data[row * n + col] = b[x][r ^ x];
    //| }
    //@ right: both tiles in an array of the thread, and one buffer
    //| __shared__ int s[32][33];
    //| int bx = blockIdx.x, by = blockIdx.y;
    //| if (bx > by)
    //|     return;
    //| int words[8];
    //| #pragma unroll
    //| for (int j = 0; j < 8; j++) {
    //|     int top = j < 4 ? by : bx, left = j < 4 ? bx : by;
    //|     int row = top * 32 + y + j % 4 * 8, col = left * 32 + x;
    //|     words[j] = row < n && col < n && (j < 4 || bx != by) ? data[row * n + col] : 0;
    //| }
    //| #pragma unroll
    //| for (int tile = 0; tile < 2; tile++) {
    //|     if (tile == 1 && bx == by)
    //|         break;
    //|     __syncthreads();
    //| #pragma unroll
    //|     for (int j = 0; j < 4; j++)
    //|         s[y + 8 * j][x] = words[tile * 4 + j];
    //|     __syncthreads();
    //|     int top = tile == 0 ? bx : by, left = tile == 0 ? by : bx;
    //| #pragma unroll
    //|     for (int j = 0; j < 4; j++) {
    //|         int row = top * 32 + y + 8 * j, col = left * 32 + x;
    //|         if (row < n && col < n)
    //|             data[row * n + col] = s[x][y + 8 * j];
    //|     }
    //| }
    //@ right: lambdas that capture by reference
    //| __shared__ int a[32][33], b[32][33];
    //| int bx = blockIdx.x, by = blockIdx.y;
    //| if (bx > by)
    //|     return;
    //| auto load = [&](int r, int c) { return r < n && c < n ? data[r * n + c] : 0; };
    //| auto store = [&](int r, int c, int v) {
    //|     if (r < n && c < n)
    //|         data[r * n + c] = v;
    //| };
    //| int r = by * 32 + y, c = bx * 32 + x, s = bx * 32 + y, d = by * 32 + x;
    //| int v0 = load(r, c), v1 = load(r + 8, c), v2 = load(r + 16, c), v3 = load(r + 24, c);
    //| int w0 = 0, w1 = 0, w2 = 0, w3 = 0;
    //| if (bx != by) {
    //|     w0 = load(s, d); w1 = load(s + 8, d); w2 = load(s + 16, d); w3 = load(s + 24, d);
    //| }
    //| a[y][x] = v0; a[y + 8][x] = v1; a[y + 16][x] = v2; a[y + 24][x] = v3;
    //| b[y][x] = w0; b[y + 8][x] = w1; b[y + 16][x] = w2; b[y + 24][x] = w3;
    //| __syncthreads();
    //| for (int k = 0; k < 32; k += 8) {
    //|     store(s + k, d, a[x][y + k]);
    //|     if (bx != by)
    //|         store(r + k, c, b[x][y + k]);
    //| }
    //@ right: on the diagonal the second tile is the first one
    //| __shared__ int a[32][33], b[32][33];
    //| int bx = blockIdx.x * 32, by = blockIdx.y * 32;
    //| if (bx > by) return;
    //| auto& second = bx == by ? a : b;
    //| for (int r = y; r < 32; r += 8) {
    //|     if (by + r < n && bx + x < n) a[r][x] = data[(by + r) * n + bx + x];
    //|     if (bx != by && bx + r < n && by + x < n) second[r][x] = data[(bx + r) * n + by + x];
    //| }
    //| __syncthreads();
    //| for (int r = y; r < 32; r += 8) {
    //|     if (by + r < n && bx + x < n) data[(by + r) * n + bx + x] = second[x][r];
    //|     if (bx != by && bx + r < n && by + x < n) data[(bx + r) * n + by + x] = a[x][r];
    //| }
    //@ end
}

/// What was at the mirror image of place i.
__host__ __device__ int expected(const int* data, int n, int i) {
    return data[i % n * n + i / n];
}
