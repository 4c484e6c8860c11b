//! # Read pinned memory once
//!
//! A kernel can read *mapped* pinned memory of the host directly. Each sector then comes over the bus, and since such
//! memory is not cached on the GPU, NVIDIA's *Best Practices Guide* advises to read each number only once.
//!
//! The field of `n` × `n` numbers is in such memory. For each cell, add up its four neighbours (left, right, above,
//! below) and subtract four times the cell itself. Outside of the field everything is 0. The kernel below is right. It
//! loads nearly every number five times.
//!
//! Let each block of 32 × 8 threads load its part of the field, with the neighbours that it needs, into shared memory.
//!
//! The gate: at most 80 load sectors per block. A part without its neighbours has 32.
//!
//! ## Hint
//! How large must the piece in shared memory be, if a block computes 32 × 8 cells? Its four corners are not needed, but
//! do not harm.
//!
//! ## Hint
//! A piece of 34 × 10 numbers has 340 places, and there are 256 threads. The same loop can fill all of them: number the
//! threads from 0 to 255, and go on in steps of 256.
//!
//! ## Hint
//! Place `k` is in row `k / 34` and column `k % 34` of the piece. In the field that is row
//! `blockIdx.y * 8 + k / 34 - 1`, and the column likewise. Store 0 for what is outside. Then a barrier, and then the
//! sum from shared memory, where cell (y, x) of the block is at (y + 1, x + 1).
//!
//! ## Why it works
//! The block loads each number once. Only the frame around its part is also loaded by other blocks: a *halo*.
//!
//! *Global load sectors* fall to less than half, and on the bus that is what counts. The five reads are still there, but
//! from shared memory. The larger the part is, the smaller the share of its halo.
//@ exercise improve, 35 minutes
//@ gate global_load_sectors <= 80 * (n / 32) * (n / 8)
//@ input field: int[n * n] = lcg256
//@ output out: int[n * n] = poison
//@ launch bend(field, out, n) grid = ((n + 31) / 32, (n + 7) / 8), block = (32, 8)
//@ test 1, 2, 7, 8, 9, 31, 32, 33, 67
//@ page 96

extern "C" __global__ void bend(const int* field, int* out, int n) {
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 32 + x;
    int row = blockIdx.y * 8 + y;
    //@ begin
    __shared__ int part[10][34];
    for (int k = y * 32 + x; k < 340; k += 256) {
        int r = blockIdx.y * 8 + k / 34 - 1;
        int c = blockIdx.x * 32 + k % 34 - 1;
        bool inside = r >= 0 && r < n && c >= 0 && c < n;
        part[k / 34][k % 34] = inside ? field[r * n + c] : 0;
    }
    __syncthreads();
    if (row < n && col < n)
        out[row * n + col] = part[y + 1][x] + part[y + 1][x + 2] + part[y][x + 1]
            + part[y + 2][x + 1] - 4 * part[y + 1][x + 1];
    //@ starter
    //| if (row < n && col < n) {
    //|     int left = col > 0 ? field[row * n + col - 1] : 0;
    //|     int right = col < n - 1 ? field[row * n + col + 1] : 0;
    //|     int above = row > 0 ? field[(row - 1) * n + col] : 0;
    //|     int below = row < n - 1 ? field[(row + 1) * n + col] : 0;
    //|     out[row * n + col] = left + right + above + below - 4 * field[row * n + col];
    //| }
    //@ wrong gate global_load_sectors: only the cells of the own row come from shared memory
    //| __shared__ int part[8][32];
    //| part[y][x] = row < n && col < n ? field[row * n + col] : 0;
    //| __syncthreads();
    //| if (row < n && col < n) {
    //|     int left = x > 0 ? part[y][x - 1] : col > 0 ? field[row * n + col - 1] : 0;
    //|     int right = x < 31 ? part[y][x + 1] : col < n - 1 ? field[row * n + col + 1] : 0;
    //|     int above = row > 0 ? field[(row - 1) * n + col] : 0;
    //|     int below = row < n - 1 ? field[(row + 1) * n + col] : 0;
    //|     out[row * n + col] = left + right + above + below - 4 * part[y][x];
    //| }
    //@ wrong result: the neighbours that belong to other blocks are taken as 0
    //| __shared__ int part[8][32];
    //| part[y][x] = row < n && col < n ? field[row * n + col] : 0;
    //| __syncthreads();
    //| if (row < n && col < n) {
    //|     int left = x > 0 ? part[y][x - 1] : 0;
    //|     int right = x < 31 ? part[y][x + 1] : 0;
    //|     int above = y > 0 ? part[y - 1][x] : 0;
    //|     int below = y < 7 ? part[y + 1][x] : 0;
    //|     out[row * n + col] = left + right + above + below - 4 * part[y][x];
    //| }
    //@ wrong race: there is no barrier between filling the part and reading it
    //| __shared__ int part[10][34];
    //| for (int k = y * 32 + x; k < 340; k += 256) {
    //|     int r = blockIdx.y * 8 + k / 34 - 1;
    //|     int c = blockIdx.x * 32 + k % 34 - 1;
    //|     bool inside = r >= 0 && r < n && c >= 0 && c < n;
    //|     part[k / 34][k % 34] = inside ? field[r * n + c] : 0;
    //| }
    //| if (row < n && col < n)
    //|     out[row * n + col] = part[y + 1][x] + part[y + 1][x + 2] + part[y][x + 1]
    //|         + part[y + 2][x + 1] - 4 * part[y + 1][x + 1];
    //@ wrong uninitialised: 256 threads store one place each, and the part has 340
    //| __shared__ int part[10][34];
    //| int k = y * 32 + x;
    //| int r = blockIdx.y * 8 + k / 34 - 1;
    //| int c = blockIdx.x * 32 + k % 34 - 1;
    //| bool inside = r >= 0 && r < n && c >= 0 && c < n;
    //| part[k / 34][k % 34] = inside ? field[r * n + c] : 0;
    //| __syncthreads();
    //| if (row < n && col < n)
    //|     out[row * n + col] = part[y + 1][x] + part[y + 1][x + 2] + part[y][x + 1]
    //|         + part[y + 2][x + 1] - 4 * part[y + 1][x + 1];
    //@ wrong result: the left and right edges are not tested, so the neighbour is in another row
    //| __shared__ int part[10][34];
    //| for (int k = y * 32 + x; k < 340; k += 256) {
    //|     int r = blockIdx.y * 8 + k / 34 - 1;
    //|     int c = blockIdx.x * 32 + k % 34 - 1;
    //|     bool inside = r * n + c >= 0 && r * n + c < n * n;
    //|     part[k / 34][k % 34] = inside ? field[r * n + c] : 0;
    //| }
    //| __syncthreads();
    //| if (row < n && col < n)
    //|     out[row * n + col] = part[y + 1][x] + part[y + 1][x + 2] + part[y][x + 1]
    //|         + part[y + 2][x + 1] - 4 * part[y + 1][x + 1];
    //@ end
}

/// Cell i.
__host__ __device__ int expected(const int* field, int n, int i) {
    int row = i / n, col = i % n;
    int left = col > 0 ? field[i - 1] : 0;
    int right = col < n - 1 ? field[i + 1] : 0;
    int above = row > 0 ? field[i - n] : 0;
    int below = row < n - 1 ? field[i + n] : 0;
    return left + right + above + below - 4 * field[i];
}
