//! A block of `width` x 2 threads. The threads are numbered along the rows, and every 32 numbers
//! make a warp, so 40 x 2 = 80 threads are three warps: the second has the end of one row and the
//! beginning of the next, and of the third only half is there.
//!
//! Each thread goes through 256 steps of arithmetic. There are n blocks at every width.
//!
//! Look at: *active lanes*, and at the time as `width` grows.
//@ vary width = 8, 16, 17, 24, 32, 33, 40, 48, 64
//@ let count = n * width * 2
//@ output out: unsigned int[count] = poison
//@ launch steps(out) grid = n, block = (width, 2)
//@ test 1, 2, 3, 33
//@ page 4
//@ measure 2^14

extern "C" __global__ void steps(unsigned int* out) {
    unsigned int thread = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * blockDim.y) + thread;
    unsigned int x = i;
    for (unsigned int k = 0; k < 256; k++)
        x = (x * 1664525u) ^ (x >> 15);
    out[i] = x;
}

__host__ __device__ unsigned int expected(unsigned int i) {
    unsigned int x = i;
    for (unsigned int k = 0; k < 256; k++)
        x = (x * 1664525u) ^ (x >> 15);
    return x;
}
