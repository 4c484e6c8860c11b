//! # How alike are two words?
//!
//! There are `n` words of 40 letters, one after the other in `words`. For each two words, count the places at which
//! both have the same letter: `same[row * n + col]` is the count for the words `row` and `col`. It has the shape of
//! a matrix product, with "equal?" in place of the multiplication.
//!
//! A block of 16 × 16 threads brings the letters to shared memory in tiles of 16 × 16. The kernel has several defects,
//! and which of them show depends on `n`. Mend it. Every size from 1 on must work, and 40 is no multiple of 16.
//!
//! The goal: the tiles stay. Six load requests per warp are enough, and you may use twelve.
//!
//! ## Hint
//! Take `n` = 16: one block, and the letters of a word fill two and a half tiles. Which two accesses to a tile can
//! happen at the same time, and are they in the same iteration of the loop? (In a terminal, `cargo run
//! --release -- exercise 7.1` writes your file, and `cargo run --release -- run exercises/7.1_equal_letters.cu --n 16`
//! names them.)
//!
//! ## Hint
//! A tile is filled, read, and filled again. What keeps a fast warp from filling it while a slow one still reads?
//!
//! ## Hint
//! For `n` = 17, some threads have no result to write, but others need the letters that they load. So they must not
//! return before the loop.
//!
//! ## Hint
//! Beyond the edge, the two tiles must hold letters that are never equal: −1 in one, −2 in the other. With the same
//! number in both, the places 40 to 47 would count as equal.
//!
//! ## Why it works
//! A loop with one tile needs two barriers: filled before it is read, read before it is filled again. All threads of
//! the block must arrive at both, so a thread without a result goes along and only skips the store.
//!
//! What stands beyond the edge must change nothing. For a sum of products that is zero; here it is two letters that
//! differ. Each letter that a block loads is used 16 times, so *global load requests* are far fewer than without tiles: six
//! per warp instead of two for each of the 40 letters.
//@ exercise mend, 20 minutes
//@ gate global_load_requests <= 12 * 8 * (n / 16) * (n / 16)
//@ input words: int[40 * n] = ramp
//@ output same: int[n * n] = poison
//@ launch compare(words, same, n) grid = ((n + 15) / 16, (n + 15) / 16), block = (16, 16)
//@ test 1, 5, 15, 16, 17, 31
//@ page 48
//@ equivalent `<=` for `<` in `for (int first = 0; first < 40; first += 16) {`: 40 is no multiple of 16, so no turn begins there
//@ equivalent `+` for `-` in `of_col[y][x] = inside && other < n ? words[other * 40 + first + x] : -2;`: where the word ends, a row has -1, and where the words end, nothing is stored
//@ equivalent `+` for `-` in `of_row[y][x] = inside && row < n ? words[row * 40 + first + x] : -1;`: where the word ends, a column has -2, and where the words end, nothing is stored

extern "C" __global__ void compare(const int* words, int* same, int n) {
    __shared__ int of_row[16][16], of_col[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 16 + y;
    int col = blockIdx.x * 16 + x;
    int other = blockIdx.x * 16 + y;  // the word of a column that this thread helps to load
    //@ begin
    int count = 0;
    for (int first = 0; first < 40; first += 16) {
        bool inside = first + x < 40;
        of_row[y][x] = inside && row < n ? words[row * 40 + first + x] : -1;
        of_col[y][x] = inside && other < n ? words[other * 40 + first + x] : -2;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            if (of_row[y][k] == of_col[x][k])
                count++;
        __syncthreads();
    }
    if (row < n && col < n)
        same[row * n + col] = count;
    //@ starter
    //| if (row >= n || col >= n)
    //|     return;
    //| int count = 0;
    //| for (int first = 0; first < 40; first += 16) {
    //|     bool inside = first + x < 40;
    //|     of_row[y][x] = inside ? words[row * 40 + first + x] : 0;
    //|     of_col[y][x] = inside ? words[other * 40 + first + x] : 0;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         if (of_row[y][k] == of_col[x][k])
    //|             count++;
    //| }
    //| same[row * n + col] = count;
    //@ wrong race: the second barrier is missing
    //| int count = 0;
    //| for (int first = 0; first < 40; first += 16) {
    //|     bool inside = first + x < 40;
    //|     of_row[y][x] = inside && row < n ? words[row * 40 + first + x] : -1;
    //|     of_col[y][x] = inside && other < n ? words[other * 40 + first + x] : -2;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         if (of_row[y][k] == of_col[x][k])
    //|             count++;
    //| }
    //| if (row < n && col < n)
    //|     same[row * n + col] = count;
    //@ wrong result: the places beyond the last letter count as equal
    //| int count = 0;
    //| for (int first = 0; first < 40; first += 16) {
    //|     bool inside = first + x < 40;
    //|     of_row[y][x] = inside && row < n ? words[row * 40 + first + x] : 0;
    //|     of_col[y][x] = inside && other < n ? words[other * 40 + first + x] : 0;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         if (of_row[y][k] == of_col[x][k])
    //|             count++;
    //|     __syncthreads();
    //| }
    //| if (row < n && col < n)
    //|     same[row * n + col] = count;
    //@ wrong bounds: letters beyond the last word are loaded
    //| int count = 0;
    //| for (int first = 0; first < 40; first += 16) {
    //|     bool inside = first + x < 40;
    //|     of_row[y][x] = inside ? words[row * 40 + first + x] : -1;
    //|     of_col[y][x] = inside ? words[other * 40 + first + x] : -2;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         if (of_row[y][k] == of_col[x][k])
    //|             count++;
    //|     __syncthreads();
    //| }
    //| if (row < n && col < n)
    //|     same[row * n + col] = count;
    //@ wrong uninitialised: threads without a result return, and the letters that they should load are missing
    //| if (row >= n || col >= n)
    //|     return;
    //| int count = 0;
    //| for (int first = 0; first < 40; first += 16) {
    //|     bool inside = first + x < 40;
    //|     of_row[y][x] = inside ? words[row * 40 + first + x] : -1;
    //|     of_col[y][x] = inside && other < n ? words[other * 40 + first + x] : -2;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         if (of_row[y][k] == of_col[x][k])
    //|             count++;
    //|     __syncthreads();
    //| }
    //| same[row * n + col] = count;
    //@ wrong gate global_load_requests: no tiles, so each thread loads all letters of its two words
    //| if (row >= n || col >= n)
    //|     return;
    //| int count = 0;
    //| for (int k = 0; k < 40; k++)
    //|     count += words[row * 40 + k] == words[col * 40 + k];
    //| same[row * n + col] = count;
    //@ right: all tiles at once, and one barrier
    //| __shared__ int all_rows[16][49], all_cols[16][49];
    //| for (int k = x; k < 40; k += 16) {
    //|     if (row < n)
    //|         all_rows[y][k] = words[row * 40 + k];
    //|     if (other < n)
    //|         all_cols[y][k] = words[other * 40 + k];
    //| }
    //| __syncthreads();
    //| if (row >= n || col >= n)
    //|     return;
    //| int count = 0;
    //| for (int k = 0; k < 40; k++)
    //|     if (all_rows[y][k] == all_cols[x][k])
    //|         count++;
    //| same[row * n + col] = count;
    //@ right: the row's letters are exchanged by shuffles
    //| int count = 0;
    //| for (int first = 0; first < 40; first += 16) {
    //|     bool inside = first + x < 40;
    //|     int mine = inside && row < n ? words[row * 40 + first + x] : -1;
    //|     of_col[y][x] = inside && other < n ? words[other * 40 + first + x] : -2;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         if (__shfl_sync(0xffffffffu, mine, k, 16) == of_col[x][k])
    //|             count++;
    //|     __syncthreads();
    //| }
    //| if (row < n && col < n)
    //|     same[row * n + col] = count;
    //@ right: half of the blocks, because the count is symmetric
    //| if (blockIdx.x > blockIdx.y)
    //|     return;
    //| int count = 0;
    //| for (int first = 0; first < 40; first += 16) {
    //|     bool inside = first + x < 40;
    //|     of_row[y][x] = inside && row < n ? words[row * 40 + first + x] : -1;
    //|     of_col[y][x] = inside && other < n ? words[other * 40 + first + x] : -2;
    //|     __syncthreads();
    //|     for (int k = 0; k < 16; k++)
    //|         count += of_row[y][k] == of_col[x][k];
    //|     __syncthreads();
    //| }
    //| if (row < n && col < n) {
    //|     same[row * n + col] = count;
    //|     if (blockIdx.x != blockIdx.y)
    //|         same[col * n + row] = count;
    //| }
    //@ end
}

/// The equal letters of the words i / n and i % n.
__host__ __device__ int expected(const int* words, int n, int i) {
    int count = 0;
    for (int k = 0; k < 40; k++)
        count += words[i / n * 40 + k] == words[i % n * 40 + k];
    return count;
}
