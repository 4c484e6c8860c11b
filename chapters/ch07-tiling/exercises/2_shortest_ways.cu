//! # The shortest way with one change
//!
//! `from[i * n + k]` is the length of the way from town `i` to station `k`, and `to[k * n + j]` that from station `k`
//! to town `j`. Find the shortest way from each town to each town through one station:
//! `best[i * n + j]` is the minimum of `from[i * n + k] + to[k * n + j]` over all `k`. All lengths are from 0 to 255.
//!
//! Use tiles of 16 × 16 in shared memory, as in the matrix product. `n` may be any number from 1 on.
//!
//! The goal allows two load requests per warp and tile, which is what the tiles need.
//!
//! ## Hint
//! Start from the tiled product. What replaces the multiplication, what the addition, and what does the result start
//! with?
//!
//! ## Hint
//! In the product a zero beyond the edge adds nothing. Which number changes nothing in a minimum of sums?
//!
//! ## Hint
//! Fill with a number that is larger than any length, but so small that a sum of two of them is still an `int`:
//! `1 << 20`. Two barriers per tile, and the test for the edge stands at the store only.
//!
//! ## Why it works
//! The order of loads and their reuse do not depend on what is computed. Any two operations where the second combines
//! in any order can take the place of multiplication and addition. Only the neutral element changes: 0 for a sum,
//! "infinity" for a minimum.
//!
//! *Global load requests* are a sixteenth of those without tiles: each word that a block loads is used 16 times.
//@ exercise write, 30 minutes
//@ gate global_load_requests <= 2 * 8 * (n / 16) * (n / 16) * (n / 16)
//@ input from: int[n * n] = lcg256
//@ input to: int[n * n] = lcg256
//@ output best: int[n * n] = poison
//@ launch shortest(from, to, best, n) grid = ((n + 15) / 16, (n + 15) / 16), block = (16, 16)
//@ test 1, 2, 15, 16, 17, 31, 33
//@ page 64
//@ equivalent `<=` for `<` in `for (int first = 0; first < n; first += 16) {`: one more turn finds only places that are too far
//@ equivalent `17` for `16` in `__shared__ int a[16][16], b[16][16];`: a word that nobody uses

extern "C" __global__ void shortest(const int* from, const int* to, int* best, int n) {
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y;
    int col = blockIdx.x * 16 + x;
    //@ begin
    const int FAR = 1 << 20;
    __shared__ int a[16][16], b[16][16];
    int least = FAR;
    for (int first = 0; first < n; first += 16) {
        a[y][x] = row < n && first + x < n ? from[row * n + first + x] : FAR;
        b[y][x] = first + y < n && col < n ? to[(first + y) * n + col] : FAR;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            least = min(least, a[y][k] + b[k][x]);
        __syncthreads();
    }
    if (row < n && col < n)
        best[row * n + col] = least;
    //@ starter
    //| // Bring tiles of `from` and `to` to shared memory. Take the minimum of the sums.
    //| int least = 0;
    //| if (row < n && col < n)
    //|     best[row * n + col] = least;
    //@ wrong gate global_load_requests: every thread loads all its words from global memory
    //| int least = 1 << 20;
    //| if (row < n && col < n) {
    //|     for (int k = 0; k < n; k++)
    //|         least = min(least, from[row * n + k] + to[k * n + col]);
    //|     best[row * n + col] = least;
    //| }
    //@ wrong result: the zeros beyond the edge are shorter than every real way
    //| __shared__ int a[16][16], b[16][16];
    //| int least = 1 << 20;
    //| for (int first = 0; first < n; first += 16) {
    //|     a[y][x] = row < n && first + x < n ? from[row * n + first + x] : 0;
    //|     b[y][x] = first + y < n && col < n ? to[(first + y) * n + col] : 0;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         least = min(least, a[y][k] + b[k][x]);
    //|     __syncthreads();
    //| }
    //| if (row < n && col < n)
    //|     best[row * n + col] = least;
    //@ wrong result: the sum of two numbers as large as an int can be is negative
    //| const int FAR = 0x7fffffff;
    //| __shared__ int a[16][16], b[16][16];
    //| int least = FAR;
    //| for (int first = 0; first < n; first += 16) {
    //|     a[y][x] = row < n && first + x < n ? from[row * n + first + x] : FAR;
    //|     b[y][x] = first + y < n && col < n ? to[(first + y) * n + col] : FAR;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         least = min(least, a[y][k] + b[k][x]);
    //|     __syncthreads();
    //| }
    //| if (row < n && col < n)
    //|     best[row * n + col] = least;
    //@ wrong race: the tiles are filled again while other threads still read them
    //| const int FAR = 1 << 20;
    //| __shared__ int a[16][16], b[16][16];
    //| int least = FAR;
    //| for (int first = 0; first < n; first += 16) {
    //|     a[y][x] = row < n && first + x < n ? from[row * n + first + x] : FAR;
    //|     b[y][x] = first + y < n && col < n ? to[(first + y) * n + col] : FAR;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         least = min(least, a[y][k] + b[k][x]);
    //| }
    //| if (row < n && col < n)
    //|     best[row * n + col] = least;
    //@ wrong result: rows and columns of the second table are exchanged
    //| const int FAR = 1 << 20;
    //| __shared__ int a[16][16], b[16][16];
    //| int least = FAR;
    //| for (int first = 0; first < n; first += 16) {
    //|     a[y][x] = row < n && first + x < n ? from[row * n + first + x] : FAR;
    //|     b[x][y] = first + y < n && col < n ? to[(first + y) * n + col] : FAR;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         least = min(least, a[y][k] + b[k][x]);
    //|     __syncthreads();
    //| }
    //| if (row < n && col < n)
    //|     best[row * n + col] = least;
    //@ right: two buffers, and one barrier
    //| __shared__ int a[2][16][16], b[2][16][16];
    //| const int FAR = 100000;
    //| int tiles = (n + 15) / 16, least = 2 * FAR;
    //| int next_a = row < n && x < n ? from[row * n + x] : FAR;
    //| int next_b = y < n && col < n ? to[y * n + col] : FAR;
    //| for (int tile = 0; tile < tiles; tile++) {
    //|     int u = tile & 1;
    //|     a[u][y][x] = next_a;
    //|     b[u][y][x] = next_b;
    //|     __syncthreads();
    //|     int first = (tile + 1) * 16;
    //|     next_a = row < n && first + x < n ? from[row * n + first + x] : FAR;
    //|     next_b = first + y < n && col < n ? to[(first + y) * n + col] : FAR;
    //|     for (int k = 0; k < 16; k++)
    //|         least = min(least, a[u][y][k] + b[u][k][x]);
    //| }
    //| if (row < n && col < n)
    //|     best[row * n + col] = least;
    //@ right: the row of `from` is exchanged by shuffles
    //| __shared__ int b[256];
    //| int least = 1 << 29;
    //| for (int first = 0; first < n; first += 16) {
    //|     int mine = row < n && first + x < n ? from[row * n + first + x] : 1 << 28;
    //|     b[y * 16 + ((x + y) & 15)] = first + y < n && col < n ? to[(first + y) * n + col] : 1 << 28;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         least = min(least, __shfl_sync(0xffffffffu, mine, k, 16) + b[k * 16 + ((x + k) & 15)]);
    //|     __syncthreads();
    //| }
    //| if (row < n && col < n)
    //|     best[row * n + col] = least;
    //@ right: all words of a step in registers first
    //| __shared__ int a[16][16], b[16][16];
    //| int least = 1 << 29;
    //| for (int first = 0; first < n; first += 16) {
    //|     a[y][x] = row < n && first + x < n ? from[row * n + first + x] : 1 << 28;
    //|     b[y][x] = first + y < n && col < n ? to[(first + y) * n + col] : 1 << 28;
    //|     __syncthreads();
    //|     int way[16];
    //|     for (int k = 0; k < 16; k++)
    //|         way[k] = a[y][k] + b[k][x];
    //|     for (int half = 8; half > 0; half /= 2)
    //|         for (int k = 0; k < half; k++)
    //|             way[k] = min(way[k], way[k + half]);
    //|     least = min(least, way[0]);
    //|     __syncthreads();
    //| }
    //| if (row < n && col < n)
    //|     best[row * n + col] = least;
    //@ end
}

/// The shortest way from town i / n to town i % n.
__host__ __device__ int expected(const int* from, const int* to, int n, int i) {
    int least = 1 << 20;
    for (int k = 0; k < n; k++) {
        int length = from[i / n * n + k] + to[k * n + i % n];
        least = length < least ? length : least;
    }
    return least;
}
