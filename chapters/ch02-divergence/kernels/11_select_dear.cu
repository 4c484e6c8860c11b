//! The same function without a branch: every lane computes both results, and selects one.
//!
//! Look at: *warp instructions* beside `10_branch_dear.cu`, at both groups.
//@ vary group = 1, 32
//@ let steps = 128
//@ output out: unsigned int[n] = poison
//@ launch choose(out, group, steps, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021, 4096
//@ page 4096
//@ measure 2^22

__host__ __device__ unsigned int up(unsigned int x, unsigned int steps) {
    for (unsigned int k = 0; k < steps; k++)
        x = (x * 1664525u) ^ (x >> 15);
    return x;
}

__host__ __device__ unsigned int down(unsigned int x, unsigned int steps) {
    for (unsigned int k = 0; k < steps; k++)
        x = (x * 22695477u) ^ (x >> 13);
    return x;
}

extern "C" __global__ void choose(
    unsigned int* out, unsigned int group, unsigned int steps, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned int a = up(i, steps), b = down(i, steps);
        out[i] = (i / group) % 2 == 0 ? a : b;
    }
}

__host__ __device__ unsigned int expected(
    unsigned int group, unsigned int steps, unsigned int i) {
    return (i / group) % 2 == 0 ? up(i, steps) : down(i, steps);
}
