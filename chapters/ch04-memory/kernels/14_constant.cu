//! Sixty-four look-ups per thread in a table of 32 numbers in *constant* memory. The lanes of a warp read
//! `spread` different entries at a time. The constant cache delivers one word at a time, to all lanes that read
//! it.
//@ vary spread = 1, 2, 4, 8, 16, 32
//@ output out: int[n] = poison
//@ launch look_up(out, n, spread) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^12
//@ measure 2^22
//@ bytes 4 * n

__constant__ int table[32] = {
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53,
    59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131,
};

extern "C" __global__ void look_up(
    int* out, unsigned int n, unsigned int spread) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int first = i % spread;
    int sum = 0;
#pragma unroll 8
    for (unsigned int k = 0; k < 64; k++)
        sum = 3 * sum + table[(first + k) % 32];
    if (i < n)
        out[i] = sum;
}

__host__ __device__ int expected(unsigned int spread, unsigned int i) {
    int sum = 0;
    for (unsigned int k = 0; k < 64; k++)
        sum = 3 * sum + table[(i % spread + k) % 32];
    return sum;
}
