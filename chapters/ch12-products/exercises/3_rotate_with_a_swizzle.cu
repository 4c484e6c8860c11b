//! # Rotate a picture, with a swizzle
//!
//! `n` pictures of 32 × 32 ints are rotated by a quarter turn clockwise: the left column becomes the top row, from bottom
//! to top. So row `r`, column `c` of the result is row `31 - c`, column `r` of the picture.
//!
//! A block of 32 × 8 threads brings a picture to shared memory along its rows, swizzled, and reads it there down its
//! columns. Nothing is out of bounds, there is no race, and every word that is read was written. But the result is
//! wrong. Mend it. The tile has no room for padding, and there must be no bank conflicts.
//!
//! ## Hint
//! Where does the kernel store the word of row `row`, column `col` of the picture? Say it with these two numbers only.
//!
//! ## Hint
//! It stores it in row `row` at place `col ^ row`. Which row and which column of the picture does the reading thread
//! want?
//!
//! ## Hint
//! It wants row `31 - x` and column `r`. Put both into the formula of the writer.
//!
//! ## Why it works
//! A swizzle is a function of the row and the column *of the data*, the same for writer and reader. Which lane asks does
//! not matter. It helps to write it once, as a function of row and column, and to call it in both places.
//!
//! The 32 lanes read 32 different rows, and `r ^ (31 - x)` is different for each of them. So they use all banks, and
//! *shared load conflicts* are zero without any padding. No tool but a comparison of the result finds a swizzle that
//! does not fit.
//@ exercise mend, 15 minutes
//@ gate shared_load_conflicts = 0
//@ gate shared_store_conflicts = 0
//@ input in: int[1024 * n] = lcg256
//@ output out: int[1024 * n] = poison
//@ launch rotate(in, out) grid = n, block = (32, 8)
//@ test 1, 2, 3, 5
//@ page 4
//@ equivalent `7` for `8` in `for (int row = y; row < 32; row += 8)`: some rows are stored twice, and alike
//@ equivalent `7` for `8` in `for (int r = y; r < 32; r += 8)`: some rows are stored twice, and alike

extern "C" __global__ void rotate(const int* in, int* out) {
    __shared__ int tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    in += blockIdx.x * 1024;
    out += blockIdx.x * 1024;
    //@ begin
    for (int row = y; row < 32; row += 8)
        tile[row][x ^ row] = in[row * 32 + x];
    __syncthreads();
    for (int r = y; r < 32; r += 8)
        out[r * 32 + x] = tile[31 - x][r ^ (31 - x)];
    //@ starter
    //| for (int row = y; row < 32; row += 8)
    //|     tile[row][x ^ row] = in[row * 32 + x];
    //| __syncthreads();
    //| for (int r = y; r < 32; r += 8)
    //|     out[r * 32 + x] = tile[31 - x][r ^ x];
    //@ wrong result: only the writer uses the swizzle
    //| for (int row = y; row < 32; row += 8)
    //|     tile[row][x ^ row] = in[row * 32 + x];
    //| __syncthreads();
    //| for (int r = y; r < 32; r += 8)
    //|     out[r * 32 + x] = tile[31 - x][r];
    //@ wrong gate shared_load_conflicts: without the swizzle the result is right, but all lanes read one bank
    //| for (int row = y; row < 32; row += 8)
    //|     tile[row][x] = in[row * 32 + x];
    //| __syncthreads();
    //| for (int r = y; r < 32; r += 8)
    //|     out[r * 32 + x] = tile[31 - x][r];
    //@ wrong result: the picture is rotated to the other side
    //| for (int row = y; row < 32; row += 8)
    //|     tile[row][x ^ row] = in[row * 32 + x];
    //| __syncthreads();
    //| for (int r = y; r < 32; r += 8)
    //|     out[r * 32 + x] = tile[x][(31 - r) ^ x];
    //@ wrong result: the picture is transposed, not rotated
    //| for (int row = y; row < 32; row += 8)
    //|     tile[row][x ^ row] = in[row * 32 + x];
    //| __syncthreads();
    //| for (int r = y; r < 32; r += 8)
    //|     out[r * 32 + x] = tile[x][r ^ x];
    //@ wrong race: the barrier is missing
    //| for (int row = y; row < 32; row += 8)
    //|     tile[row][x ^ row] = in[row * 32 + x];
    //| for (int r = y; r < 32; r += 8)
    //|     out[r * 32 + x] = tile[31 - x][r ^ (31 - x)];
    //@ wrong gate shared_load_conflicts: an exclusive or with a number below eight leaves four lanes per bank
    //| for (int row = y; row < 32; row += 8)
    //|     tile[row][x ^ row % 8] = in[row * 32 + x];
    //| __syncthreads();
    //| for (int r = y; r < 32; r += 8)
    //|     out[r * 32 + x] = tile[31 - x][r ^ (31 - x) % 8];
    //@ right: a rotation
    //| for (int row = y; row < 32; row += 8)
    //|     tile[row][(x + row) % 32] = in[row * 32 + x];
    //| __syncthreads();
    //| for (int r = y; r < 32; r += 8)
    //|     out[r * 32 + x] = tile[31 - x][(r + 31 - x) % 32];
    //@ right: the words in an array first
    //| int v[4];
    //| for (int k = 0; k < 4; k++)
    //|     v[k] = in[(y + 8 * k) * 32 + x];
    //| int* flat = &tile[0][0];
    //| for (int k = 0; k < 4; k++)
    //|     flat[x * 32 + ((31 - y - 8 * k + x) & 31)] = v[k];
    //| __syncthreads();
    //| for (int k = 0; k < 4; k++) {
    //|     int r = y + 8 * k;
    //|     out[r * 32 + x] = flat[r * 32 + ((x + r) & 31)];
    //| }
    //@ right: lambdas that capture by reference
    //| auto from = [&](int row) { return in[row * 32 + x]; };
    //| auto put = [&](int row, int v) { tile[row][x ^ row] = v; };
    //| auto get = [&](int r) { return tile[31 - x][r ^ (31 - x)]; };
    //| for (int row = y; row < 32; row += 8)
    //|     put(row, from(row));
    //| __syncthreads();
    //| for (int r = y; r < 32; r += 8)
    //|     out[r * 32 + x] = get(r);
    //@ end
}

/// Row i / 32 % 32, column i % 32 of the rotated picture.
__host__ __device__ int expected(const int* in, int i) {
    int row = i / 32 % 32, col = i % 32;
    return in[i / 1024 * 1024 + (31 - col) * 32 + row];
}
