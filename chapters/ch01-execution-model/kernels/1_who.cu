//! Each thread of a two-dimensional grid records, at its own element of a matrix, the index of its block and its
//! index in that block.
//!
//! The block is 16 threads wide and 4 high, so a warp is two rows of it. The grid is rounded up: threads to the right
//! of the matrix, or below it, have no element.
//!
//! Look at: *active lanes*. Where the matrix ends inside a block, lanes are inactive.
//@ let height = n / 2 + 3
//@ let across = (n + 15) / 16
//@ output block: int[n * height] = poison
//@ output thread: int[n * height] = poison
//@ launch who(block, thread, n, height) grid = (across, (height + 3) / 4), block = (16, 4)
//@ test 1, 15, 16, 17, 31, 32, 33, 61, 200
//@ page 24

extern "C" __global__ void who(int* block, int* thread, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;  // the column
    int y = blockIdx.y * blockDim.y + threadIdx.y;  // the row
    if (x < width && y < height) {
        int i = y * width + x;
        block[i] = blockIdx.y * gridDim.x + blockIdx.x;
        thread[i] = threadIdx.y * blockDim.x + threadIdx.x;
    }
}

/// Element i is in column i % n of row i / n; a block has 16 columns of 4 rows.
__host__ __device__ int expected_block(
    unsigned int n, int across, unsigned int i) {
    return (i / n / 4) * across + i % n / 16;
}

/// Threads are counted along the rows of a tile.
__host__ __device__ int expected_thread(unsigned int n, unsigned int i) {
    return (i / n % 4) * 16 + i % n % 16;
}
