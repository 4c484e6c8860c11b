//! The same work for more and more multiprocessors. There are n numbers, each goes through 256
//! steps, and `blocks` blocks of 1024 threads share them: thread t of the whole grid takes numbers
//! t, t + threads, t + 2 threads, and so on. This is the *grid-stride loop*; a grid of any size
//! does the whole work.
//!
//! Look at: the time as the number of blocks doubles.
//@ vary blocks = 1, 2, 4, 8, 16, 33, 66, 132, 264, 528
//@ output out: unsigned int[n] = poison
//@ launch steps(out, n) grid = blocks, block = 1024
//@ test 1, 31, 1024, 1025, 5000
//@ page 2^11
//@ measure 2^21

extern "C" __global__ void steps(unsigned int* out, unsigned int n) {
    unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int threads = gridDim.x * blockDim.x;  // of the whole grid
    for (unsigned int i = first; i < n; i += threads) {
        unsigned int x = i;
        for (unsigned int k = 0; k < 256; k++)
            x = (x * 1664525u) ^ (x >> 15);
        out[i] = x;
    }
}

__host__ __device__ unsigned int expected(unsigned int i) {
    unsigned int x = i;
    for (unsigned int k = 0; k < 256; k++)
        x = (x * 1664525u) ^ (x >> 15);
    return x;
}
