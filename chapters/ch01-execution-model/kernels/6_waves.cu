//! How many blocks? Each block does the same work here, however many there are: every thread takes its own number
//! through `n` dependent steps. 1024 threads are enough to keep the arithmetic units of a multiprocessor busy, so two
//! blocks on one multiprocessor share them.
//!
//! Look at: the time on both sides of a multiple of the number of multiprocessors.
//@ vary blocks = 66, 99, 131, 132, 133, 165, 198, 231, 263, 264, 265, 330, 396, 397, 462, 528, 529, 594, 660
//@ let count = blocks * 1024
//@ output out: unsigned int[count] = poison
//@ launch busy(out, n) grid = blocks, block = 1024
//@ test 1, 2, 31, 32, 33, 100
//@ page 1
//@ measure 2^14

extern "C" __global__ void busy(unsigned int* out, unsigned int steps) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int x = i;
    for (unsigned int k = 0; k < steps; k++)
        x = (x * 1664525u) ^ (x >> 15);
    out[i] = x;
}

__host__ __device__ unsigned int expected(unsigned int n, unsigned int i) {
    unsigned int x = i;
    for (unsigned int k = 0; k < n; k++)
        x = (x * 1664525u) ^ (x >> 15);
    return x;
}
