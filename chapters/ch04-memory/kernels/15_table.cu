//! The same look-ups in an ordinary array. After the first ones, they hit in the first-level cache, which can serve
//! 32 lanes with 32 different entries at once.
//@ vary spread = 1, 2, 4, 8, 16, 32
//@ input  table: int[32] = lcg256
//@ output out: int[n] = poison
//@ launch look_up(table, out, n, spread) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^12
//@ measure 2^22
//@ bytes 4 * n

extern "C" __global__ void look_up(
    const int* __restrict__ table, int* out, unsigned int n,
    unsigned int spread) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int first = i % spread;
    int sum = 0;
#pragma unroll 8
    for (unsigned int k = 0; k < 64; k++)
        sum = 3 * sum + table[(first + k) % 32];
    if (i < n)
        out[i] = sum;
}

__host__ __device__ int expected(
    const int* table, unsigned int spread, unsigned int i) {
    int sum = 0;
    for (unsigned int k = 0; k < 64; k++)
        sum = 3 * sum + table[(i % spread + k) % 32];
    return sum;
}
