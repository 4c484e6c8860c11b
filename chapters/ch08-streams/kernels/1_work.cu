//! Something to do for the numbers that a copy has brought: each thread takes one of them through
//! `rounds` rounds of a multiplication and an addition. With one round it is all memory; with
//! thousands it is all arithmetic. So the work can be made as long as the copy.
//!
//! Each round multiplies by a half and adds a quarter. So every number approaches one half, and
//! nothing overflows, however many rounds there are.
//!
//! Look at: up to which number of rounds the time stays nearly the same.
//@ vary rounds = 1, 16, 64, 256, 1024, 2048
//@ output data: float[n] = frac
//@ launch work(data, n, rounds) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021, 4096
//@ page 2^12
//@ measure 2^24
//@ bytes 8 * n
//@ flops 2 * n * rounds
//@ tolerance abs 1e-6 rel 1e-6

/// One number through all its rounds.
__host__ __device__ float turn(float x, int rounds) {
    for (int r = 0; r < rounds; r++)
        x = x * 0.5f + 0.25f;
    return x;
}

extern "C" __global__ void work(float* data, unsigned int n, int rounds) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] = turn(data[i], rounds);
}

__host__ __device__ float expected(
    const float* data, int rounds, unsigned int i) {
    return turn(data[i], rounds);
}
