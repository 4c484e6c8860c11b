//! # Persistent blocks and two buffers
//!
//! Multiply two matrices of `n` × `n` ints. The result is divided into tiles of 16 × 16, and the grid has only three
//! blocks of 16 × 16 threads, whatever `n` is. Block `b` computes the tiles `b`, `b + 3`, `b + 6` and so on. Tile `k` is
//! in row `k / across` and column `k % across` of tiles.
//!
//! Use tiles in shared memory with *two* buffers. Go on from one tile of the result to the next without emptying the
//! pipeline. `at` is given: it returns zero beyond the edge.
//!
//! The goals: two load requests per warp for each pair of tiles, and one barrier for each pair. A block may load one pair
//! more than it needs, and the three blocks together may wait at 20 barriers more.
//!
//! ## Hint
//! First write it with one buffer and two barriers, with a loop over the tiles of the result, and a loop over the pairs
//! of tiles of the factors inside.
//!
//! ## Hint
//! Make one loop of the two. If a tile of the result needs `steps` pairs, then step `s` belongs to this block's tile
//! number `s / steps`, and to its pair `s % steps`.
//!
//! ## Hint
//! In iteration `s`, store pair `s` in buffer `s % 2`, and multiply with pair `s - 1` from the other buffer. One barrier
//! at the end. There is one iteration more than there are pairs.
//!
//! ## Hint
//! After the last pair of a tile of the result, store the sum and set it to zero. A block may have no tile at all: then
//! its loop has no pairs. The number of its tiles is `(tiles - b + 2) / 3`.
//!
//! ## Why it works
//! The buffers alternate over the whole sequence of pairs, not only within a tile of the result. So while the block
//! multiplies with the last pair of one tile, the first pair of the next is already being loaded. A block that ends and
//! is replaced would begin with an empty pipeline.
//!
//! *Barriers* are one per pair, and *global load requests* are those of any tiled product. On a GPU one launches as many
//! blocks as fit on the device, and not three.
//@ exercise write, 120 minutes
//@ gate barriers <= 8 * ((n / 16) * (n / 16) * (n / 16) + 20)
//@ gate global_load_requests <= 2 * 8 * ((n / 16) * (n / 16) * (n / 16) + 3)
//@ input a: int[n * n] = lcg256
//@ input b: int[n * n] = lcg256
//@ output c: int[n * n] = poison
//@ launch multiply(a, b, c, n) grid = 3, block = (16, 16)
//@ test 1, 2, 15, 16, 17, 31, 33, 37
//@ page 64
//@ equivalent `<=` for `<` in `if (s < pairs) {`: one pair more is loaded, as the statement allows

/// Element (row, col); zero beyond the edge.
__device__ int at(const int* m, int row, int col, int n) {
    return row < n && col < n ? m[row * n + col] : 0;
}

extern "C" __global__ void multiply(const int* a, const int* b, int* c, int n) {
    int x = threadIdx.x, y = threadIdx.y;
    int across = (n + 15) / 16;  // tiles side by side
    //@ begin
    __shared__ int as[2][16][16], bs[2][16][16];
    int steps = across;
    int tiles = (across * across - (int)blockIdx.x + 2) / 3;  // of this block
    int pairs = tiles * steps;
    int sum = 0;
    for (int s = 0; s <= pairs; s++) {
        if (s < pairs) {
            int tile = blockIdx.x + s / steps * 3;
            int first = s % steps * 16;
            as[s % 2][y][x] = at(a, tile / across * 16 + y, first + x, n);
            bs[s % 2][y][x] = at(b, first + y, tile % across * 16 + x, n);
        }
        if (s > 0) {
            int before = s - 1;
            for (int k = 0; k < 16; k++)
                sum += as[before % 2][y][k] * bs[before % 2][k][x];
            if (before % steps == steps - 1) {
                int tile = blockIdx.x + before / steps * 3;
                int row = tile / across * 16 + y, col = tile % across * 16 + x;
                if (row < n && col < n)
                    c[row * n + col] = sum;
                sum = 0;
            }
        }
        __syncthreads();
    }
    //@ starter
    //| // Block b computes the tiles b, b + 3, b + 6, ... of the result, with two buffers for tiles of a and b.
    //@ wrong gate barriers: one buffer and two barriers for each pair
    //| __shared__ int as[16][16], bs[16][16];
    //| for (int tile = blockIdx.x; tile < across * across; tile += 3) {
    //|     int row = tile / across * 16 + y, col = tile % across * 16 + x;
    //|     int sum = 0;
    //|     for (int first = 0; first < n; first += 16) {
    //|         as[y][x] = at(a, row, first + x, n);
    //|         bs[y][x] = at(b, first + y, col, n);
    //|         __syncthreads();
    //|         for (int k = 0; k < 16; k++)
    //|             sum += as[y][k] * bs[k][x];
    //|         __syncthreads();
    //|     }
    //|     if (row < n && col < n)
    //|         c[row * n + col] = sum;
    //| }
    //@ wrong race: the buffers begin anew with each tile of the result, without a barrier in between
    //| __shared__ int as[2][16][16], bs[2][16][16];
    //| for (int tile = blockIdx.x; tile < across * across; tile += 3) {
    //|     int row = tile / across * 16 + y, col = tile % across * 16 + x;
    //|     int sum = 0;
    //|     for (int s = 0; s < across; s++) {
    //|         as[s % 2][y][x] = at(a, row, s * 16 + x, n);
    //|         bs[s % 2][y][x] = at(b, s * 16 + y, col, n);
    //|         __syncthreads();
    //|         for (int k = 0; k < 16; k++)
    //|             sum += as[s % 2][y][k] * bs[s % 2][k][x];
    //|     }
    //|     if (row < n && col < n)
    //|         c[row * n + col] = sum;
    //| }
    //@ wrong result: the sum is not set to zero for the next tile
    //| __shared__ int as[2][16][16], bs[2][16][16];
    //| int pairs = (across * across - (int)blockIdx.x + 2) / 3 * across;
    //| int sum = 0;
    //| for (int s = 0; s <= pairs; s++) {
    //|     if (s < pairs) {
    //|         int tile = blockIdx.x + s / across * 3;
    //|         as[s % 2][y][x] = at(a, tile / across * 16 + y, s % across * 16 + x, n);
    //|         bs[s % 2][y][x] = at(b, s % across * 16 + y, tile % across * 16 + x, n);
    //|     }
    //|     if (s > 0) {
    //|         for (int k = 0; k < 16; k++)
    //|             sum += as[(s - 1) % 2][y][k] * bs[(s - 1) % 2][k][x];
    //|         int tile = blockIdx.x + (s - 1) / across * 3;
    //|         int row = tile / across * 16 + y, col = tile % across * 16 + x;
    //|         if ((s - 1) % across == across - 1 && row < n && col < n)
    //|             c[row * n + col] = sum;
    //|     }
    //|     __syncthreads();
    //| }
    //@ wrong result: each block computes one tile, and most tiles are missing
    //| __shared__ int as[2][16][16], bs[2][16][16];
    //| int row = blockIdx.x / across * 16 + y, col = blockIdx.x % across * 16 + x;
    //| int sum = 0;
    //| for (int s = 0; s < across; s++) {
    //|     as[s % 2][y][x] = at(a, row, s * 16 + x, n);
    //|     bs[s % 2][y][x] = at(b, s * 16 + y, col, n);
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         sum += as[s % 2][y][k] * bs[s % 2][k][x];
    //| }
    //| if (row < n && col < n)
    //|     c[row * n + col] = sum;
    //@ wrong gate global_load_requests: the factors are not brought to shared memory
    //| for (int tile = blockIdx.x; tile < across * across; tile += 3) {
    //|     int row = tile / across * 16 + y, col = tile % across * 16 + x;
    //|     int sum = 0;
    //|     for (int k = 0; k < n; k++)
    //|         sum += at(a, row, k, n) * at(b, k, col, n);
    //|     if (row < n && col < n)
    //|         c[row * n + col] = sum;
    //| }
    //@ right: two loops, one in the other
    //| __shared__ int tiles[2][2][16][17];
    //| int now = 0;
    //| for (int k = blockIdx.x; k < across * across; k += 3) {
    //|     int row = k / across * 16 + y, col = k % across * 16 + x, sum = 0;
    //|     for (int first = 0; first < n; first += 16) {
    //|         tiles[now][0][y][x] = at(a, row, first + x, n);
    //|         tiles[now][1][x][y] = at(b, first + y, col, n);
    //|         __syncthreads();
    //| #pragma unroll
    //|         for (int i = 0; i < 16; i++)
    //|             sum += tiles[now][0][y][i] * tiles[now][1][x][i];
    //|         now = 1 - now;
    //|     }
    //|     if (row < n && col < n)
    //|         c[row * n + col] = sum;
    //| }
    //@ right: one factor is exchanged by shuffles
    //| __shared__ int bs[2][16][16];
    //| int u = 0;
    //| for (int k = blockIdx.x; k < across * across; k += 3) {
    //|     int row = k / across * 16 + y, col = k % across * 16 + x, sum = 0;
    //|     for (int m = 0; m < across; m++) {
    //|         int mine = at(a, row, m * 16 + x, n);
    //|         bs[u][y][x] = at(b, m * 16 + y, col, n);
    //|         __syncthreads();
    //|         for (int i = 0; i < 16; i++)
    //|             sum += __shfl_sync(0xffffffffu, mine, i, 16) * bs[u][i][x];
    //|         u ^= 1;
    //|     }
    //|     if (row < n && col < n)
    //|         c[row * n + col] = sum;
    //| }
    //@ right: one pair too many is loaded
    //| __shared__ int as[2][16][16], bs[2][16][16];
    //| int tiles = across * across;
    //| int tile = blockIdx.x, step = 0, now = 0, sum = 0;
    //| as[0][y][x] = at(a, tile / across * 16 + y, x, n);
    //| bs[0][y][x] = at(b, y, tile % across * 16 + x, n);
    //| __syncthreads();
    //| while (tile < tiles) {
    //|     int next_step = step + 1 < across ? step + 1 : 0;
    //|     int next_tile = next_step == 0 ? tile + 3 : tile;
    //|     int of_a = at(a, next_tile / across * 16 + y, next_step * 16 + x, n);
    //|     int of_b = at(b, next_step * 16 + y, next_tile % across * 16 + x, n);
    //|     for (int k = 0; k < 16; k++)
    //|         sum += as[now][y][k] * bs[now][k][x];
    //|     now ^= 1;
    //|     as[now][y][x] = of_a;
    //|     bs[now][y][x] = of_b;
    //|     __syncthreads();
    //|     if (next_step == 0) {
    //|         int row = tile / across * 16 + y, col = tile % across * 16 + x;
    //|         if (row < n && col < n)
    //|             c[row * n + col] = sum;
    //|         sum = 0;
    //|     }
    //|     tile = next_tile;
    //|     step = next_step;
    //| }
    //@ right: references to the tiles of a step
    //| __shared__ int a0[16][17], a1[16][17], b0[16][17], b1[16][17];
    //| int turn = 0;
    //| for (int k = blockIdx.x; k < across * across; k += 3) {
    //|     int row = k / across * 16 + y, col = k % across * 16 + x, sum = 0;
    //|     for (int s = 0; s < across; s++) {
    //|         auto& ta = turn % 2 ? a1 : a0;
    //|         auto& tb = turn % 2 ? b1 : b0;
    //|         turn++;
    //|         ta[y][x] = at(a, row, 16 * s + x, n);
    //|         tb[y][x] = at(b, 16 * s + y, col, n);
    //|         __syncthreads();
    //|         for (int j = 0; j < 16; j++) sum += ta[y][j] * tb[j][x];
    //|     }
    //|     if (row < n && col < n) c[row * n + col] = sum;
    //| }
    //@ end
}

/// Row i / n of a times column i % n of b.
__host__ __device__ int expected(const int* a, const int* b, int n, int i) {
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[i / n * n + k] * b[k * n + i % n];
    return sum;
}
