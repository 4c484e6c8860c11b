//! Each lane reads 256 words of shared memory, one after the other, beginning at `lane * stride`. So in every load
//! the words of the 32 lanes of a warp are `stride` words apart, and nothing else changes.
//!
//! Look at: *shared load wavefronts*. One is the minimum for a load. How many are there at stride 2, at 3, at 32, at
//! 33? And at 0?
//@ input  data: int[n] = lcg256
//@ vary stride = 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 31, 32, 33
//@ output out: int[n] = poison
//@ launch walk(data, out, n, stride) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021
//@ page 1024
//@ measure 2^22
//@ bytes 4 * n + 5120

const unsigned int WORDS = 1280;  // 31 * 33 + 256, and one more

extern "C" __global__ void walk(
    const int* data, int* out, unsigned int n, unsigned int stride) {
    __shared__ int tile[WORDS];
    for (unsigned int k = threadIdx.x; k < WORDS; k += blockDim.x)
        tile[k] = data[k % n];
    __syncthreads();

    unsigned int first = threadIdx.x % 32 * stride;
    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 256; k++)
        sum += tile[first + k];

    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = sum;
}

/// The sum of the 256 words from the lane's place on.
__host__ __device__ int expected(
    const int* data, unsigned int n, unsigned int stride, unsigned int i) {
    int sum = 0;
    for (unsigned int k = 0; k < 256; k++)
        sum += data[(i % 32 * stride + k) % n];
    return sum;
}
