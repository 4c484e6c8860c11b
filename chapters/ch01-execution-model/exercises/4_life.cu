//! # One generation of Life
//!
//! The Game of Life is played on a grid of cells, each alive or dead. Here it has `n` columns and 21 rows. The cell
//! in column `x` and row `y` is `cells[y * n + x]`. An odd number means alive, an even number means dead. (The
//! numbers are 0 to 255.)
//!
//! Compute the next generation: 1 for a cell that is alive then, 0 for a cell that is dead.
//!
//! - A living cell with two or three living neighbours stays alive.
//! - A dead cell with exactly three living neighbours comes alive.
//! - All others are dead.
//!
//! A cell has eight neighbours: left, right, above, below and the four diagonal ones. Outside of the grid everything
//! is dead. The kernel is launched with blocks of 32 x 4 threads, enough to cover all cells. Each cell is written by
//! one thread. Use helper variables and loops as you like.
//!
//! The goal: at most three store requests per warp.
//!
//! ## Hint
//! Begin with the two indices of this thread, and with the test that its cell exists.
//!
//! ## Hint
//! Two loops from -1 to 1 give the nine cells around (x, y). Leave out the middle one, and those outside of the grid.
//!
//! ## Hint
//! For each neighbour: is its column at least 0 and less than `n`, and its row at least 0 and less than `rows`? Only
//! then add its lowest bit, `cells[...] & 1`, to the count. In the end the cell is alive if the count is 3, or if it
//! is 2 and the cell is alive now.
//!
//! ## Why it works
//! A thread's own cell passing the test says nothing about its neighbours: each of them needs a test of its own, for
//! the column *and* for the row. The left neighbour of column 0 would otherwise be the last cell of the row above, an
//! address that exists and is wrong. Only the comparison with the expected result shows that. (In row 0 it would be
//! index -1, outside of the array: that a checked run finds.)
//!
//! *Global load requests* counts about nine loads for each warp. Chapter 4 shows that a cache answers most of them.
//@ exercise write, 45 minutes
//@ gate global_store_requests <= 3 * 24 * ((n + 31) / 32)
//@ let rows = 21
//@ input cells: int[rows * n] = lcg256
//@ output next: int[rows * n] = poison
//@ launch life(cells, next, n, rows) grid = ((n + 31) / 32, (rows + 3) / 4), block = (32, 4)
//@ test 1, 2, 3, 31, 32, 33, 61, 96
//@ page 100
//@ equivalent `-` for `+` in `int column = x + dx, row = y + dy;`: each neighbour has one on the other side, and both are counted

extern "C" __global__ void life(const int* cells, int* next, int n, int rows) {
    //@ begin
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < rows) {
        int count = 0;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                int column = x + dx, row = y + dy;
                bool inside = column >= 0 && column < n && row >= 0 && row < rows;
                if (inside && (dx != 0 || dy != 0))
                    count += cells[row * n + column] & 1;
            }
        }
        bool alive = cells[y * n + x] & 1;
        next[y * n + x] = count == 3 || (alive && count == 2);
    }
    //@ starter
    //| int x = blockIdx.x * blockDim.x + threadIdx.x;
    //| int y = blockIdx.y * blockDim.y + threadIdx.y;
    //| if (x < n && y < rows) {
    //|     int count = 0;  // how many of the eight neighbours are alive?
    //|     next[y * n + x] = 0;
    //| }
    //@ wrong result: the combined index is tested, so the grid is wrapped around at its left and right edge
    //| int x = blockIdx.x * blockDim.x + threadIdx.x;
    //| int y = blockIdx.y * blockDim.y + threadIdx.y;
    //| if (x < n && y < rows) {
    //|     int count = 0;
    //|     for (int dy = -1; dy <= 1; dy++) {
    //|         for (int dx = -1; dx <= 1; dx++) {
    //|             int i = (y + dy) * n + x + dx;
    //|             if (i >= 0 && i < n * rows && (dx != 0 || dy != 0))
    //|                 count += cells[i] & 1;
    //|         }
    //|     }
    //|     bool alive = cells[y * n + x] & 1;
    //|     next[y * n + x] = count == 3 || (alive && count == 2);
    //| }
    //@ wrong result: the cell is counted as its own neighbour
    //| int x = blockIdx.x * blockDim.x + threadIdx.x;
    //| int y = blockIdx.y * blockDim.y + threadIdx.y;
    //| if (x < n && y < rows) {
    //|     int count = 0;
    //|     for (int row = max(y - 1, 0); row <= min(y + 1, rows - 1); row++) {
    //|         for (int column = max(x - 1, 0); column <= min(x + 1, n - 1); column++)
    //|             count += cells[row * n + column] & 1;
    //|     }
    //|     bool alive = cells[y * n + x] & 1;
    //|     next[y * n + x] = count == 3 || (alive && count == 2);
    //| }
    //@ wrong bounds: the neighbours below the last row are read
    //| int x = blockIdx.x * blockDim.x + threadIdx.x;
    //| int y = blockIdx.y * blockDim.y + threadIdx.y;
    //| if (x < n && y < rows) {
    //|     int count = -(cells[y * n + x] & 1);
    //|     for (int row = max(y - 1, 0); row <= y + 1; row++) {
    //|         for (int column = max(x - 1, 0); column <= min(x + 1, n - 1); column++)
    //|             count += cells[row * n + column] & 1;
    //|     }
    //|     bool alive = cells[y * n + x] & 1;
    //|     next[y * n + x] = count == 3 || (alive && count == 2);
    //| }
    //@ wrong result: a cell with two neighbours comes alive even if it is dead
    //| int x = blockIdx.x * blockDim.x + threadIdx.x;
    //| int y = blockIdx.y * blockDim.y + threadIdx.y;
    //| if (x < n && y < rows) {
    //|     int count = -(cells[y * n + x] & 1);
    //|     for (int row = max(y - 1, 0); row <= min(y + 1, rows - 1); row++) {
    //|         for (int column = max(x - 1, 0); column <= min(x + 1, n - 1); column++)
    //|             count += cells[row * n + column] & 1;
    //|     }
    //|     next[y * n + x] = count == 3 || count == 2;
    //| }
    //@ right: through shared memory, with a frame
    //| __shared__ int tile[6][34];
    //| int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 4 - 1;
    //| for (int k = threadIdx.y * 32 + threadIdx.x; k < 6 * 34; k += 128) {
    //|     int u = x0 + k % 34, v = y0 + k / 34;
    //|     tile[k / 34][k % 34] = u >= 0 && u < n && v >= 0 && v < rows ? cells[v * n + u] & 1 : 0;
    //| }
    //| __syncthreads();
    //| int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
    //| if (x < n && y < rows) {
    //|     int a = threadIdx.x, b = threadIdx.y;
    //|     int nine = tile[b][a] + tile[b][a + 1] + tile[b][a + 2]
    //|              + tile[b + 1][a] + tile[b + 1][a + 1] + tile[b + 1][a + 2]
    //|              + tile[b + 2][a] + tile[b + 2][a + 1] + tile[b + 2][a + 2];
    //|     next[y * n + x] = nine == 3 || (nine == 4 && tile[b + 1][a + 1]);
    //| }
    //@ right: cells numbered in one row, and two stores
    //| int i = (blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.y * 32 + threadIdx.x;
    //| if (i < n * rows) {
    //|     int x = i % n, y = i / n;
    //|     int count = 0;
    //|     for (int v = max(y - 1, 0); v <= min(y + 1, rows - 1); v++)
    //|         for (int u = max(x - 1, 0); u <= min(x + 1, n - 1); u++)
    //|             count += (v != y || u != x) && (cells[v * n + u] & 1);
    //|     switch (count) {
    //|         case 3: next[i] = 1; break;
    //|         case 2: next[i] = cells[i] & 1; break;
    //|         default: next[i] = 0;
    //|     }
    //| }
    //@ right: a store in each branch
    //| int x = blockIdx.x * blockDim.x + threadIdx.x;
    //| int y = blockIdx.y * blockDim.y + threadIdx.y;
    //| if (x >= n || y >= rows)
    //|     return;
    //| int count = 0;
    //| bool left = x > 0, right = x < n - 1, up = y > 0, down = y < rows - 1;
    //| const int* c = cells + y * n + x;
    //| if (left) count += c[-1] % 2;
    //| if (right) count += c[1] % 2;
    //| if (up) count += c[-n] % 2;
    //| if (down) count += c[n] % 2;
    //| if (up && left) count += c[-n - 1] % 2;
    //| if (up && right) count += c[-n + 1] % 2;
    //| if (down && left) count += c[n - 1] % 2;
    //| if (down && right) count += c[n + 1] % 2;
    //| if (c[0] % 2 == 1)
    //|     next[y * n + x] = (count == 2 || count == 3) ? 1 : 0;
    //| else
    //|     next[y * n + x] = (count == 3) ? 1 : 0;
    //@ right: the given helper counts the neighbours
    //| int x = blockIdx.x * blockDim.x + threadIdx.x;
    //| int y = blockIdx.y * blockDim.y + threadIdx.y;
    //| if (x < n && y < rows) {
    //|     int count = 0;
    //|     for (int k = 0; k < 9; k++)
    //|         if (k != 4) count += alive_at(cells, n, rows, x + k % 3 - 1, y + k / 3 - 1);
    //|     next[y * n + x] = count == 3 ? 1 : count == 2 ? alive_at(cells, n, rows, x, y) : 0;
    //| }
    //@ end
}

/// The cell at (x, y) as a number: 1 if it exists and is alive.
__host__ __device__ int alive_at(const int* cells, int n, int rows, int x, int y) {
    return x >= 0 && x < n && y >= 0 && y < rows ? cells[y * n + x] % 2 : 0;
}

/// Cell i of the next generation.
__host__ __device__ int expected(const int* cells, int n, int rows, int i) {
    int x = i % n, y = i / n;
    int around = 0;
    for (int k = 0; k < 9; k++)
        around += k == 4 ? 0 : alive_at(cells, n, rows, x - 1 + k % 3, y - 1 + k / 3);
    return around == 3 || (around == 2 && alive_at(cells, n, rows, x, y) == 1);
}
