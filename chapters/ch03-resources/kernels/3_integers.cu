//! Integers: as many threads and warps as fit, and each thread computes 2048 multiply-adds in four
//! chains. A scheduler of Hopper has 32 units for floats, and 16 that multiply integers.
//! (`2_chains.cu`, on the next page, does the same with floats.) It moves next to nothing, so its GB/s
//! say nothing.
//@ input  start: unsigned int[n] = lcg256
//@ output out: unsigned int[n] = poison
//@ launch work(start, out, n) grid = (n + 511) / 512, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513
//@ page 512
//@ measure 2^20
//@ bytes 8 * n

__host__ __device__ unsigned int run(unsigned int start) {
    unsigned int x[4];
#pragma unroll
    for (unsigned int c = 0; c < 4; c++)
        x[c] = start + c;
    unsigned int factor = 2 * start + 1;
#pragma unroll 8
    for (int k = 0; k < 2048 / 4; k++) {
#pragma unroll
        for (int c = 0; c < 4; c++)
            x[c] = x[c] * factor + start;
    }
    return x[0] + x[1] + x[2] + x[3];
}

extern "C" __global__ void work(
    const unsigned int* start, unsigned int* out, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = run(start[i]);
}

__host__ __device__ unsigned int expected(
    const unsigned int* start, unsigned int i) {
    return run(start[i]);
}
