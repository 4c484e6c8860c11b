//! A loop can diverge, too. Thread i executes `((i / group) % 32 + 1) * 8` rounds, so that the threads together
//! execute the same number for every `group`. A warp continues until its last lane is done: with `group` = 1 every
//! warp has a lane with 256 rounds, with 32 all lanes of a warp stop together.
//!
//! Look at: *active lanes* and the time as `group` grows.
//@ vary group = 1, 2, 4, 8, 16, 32
//@ output out: unsigned int[n] = poison
//@ launch rounds(out, group, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 257, 1021, 4096
//@ page 4096
//@ measure 2^22

__host__ __device__ unsigned int walk(unsigned int x, unsigned int rounds) {
    for (unsigned int k = 0; k < rounds * 8; k++)
        x = (x * 1664525u) ^ (x >> 15);
    return x;
}

extern "C" __global__ void rounds(
    unsigned int* out, unsigned int group, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = walk(i, (i / group) % 32 + 1);
}

__host__ __device__ unsigned int expected(unsigned int group, unsigned int i) {
    return walk(i, (i / group) % 32 + 1);
}
