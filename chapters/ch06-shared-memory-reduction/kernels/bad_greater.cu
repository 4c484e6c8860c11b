//! The other mistake of those notes: the rounds are written out, each behind a test of the block size, with `>` where
//! `>=` is needed. A block of 128 skips its first round, and half of the tile is never added. No race, no access out
//! of bounds: only the sum is wrong.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 511) / 512] = poison
//@ launch reduce(data, out, n) grid = (n + 511) / 512, block = 128, shared = 4 * 128
//@ test 512, 65536
//@ page 4096
//@ bytes 4 * n
//@ catch wrong-result

extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
    extern __shared__ int tile[];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 4 + t;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 4; k++, i += blockDim.x)
        sum += i < n ? data[i] : 0;
    tile[t] = sum;
    __syncthreads();

    if (blockDim.x > 1024 && t < 512)
        tile[t] += tile[t + 512];
    __syncthreads();
    if (blockDim.x > 512 && t < 256)
        tile[t] += tile[t + 256];
    __syncthreads();
    if (blockDim.x > 256 && t < 128)
        tile[t] += tile[t + 128];
    __syncthreads();
    if (blockDim.x > 128 && t < 64)
        tile[t] += tile[t + 64];  //~ wrong-result
    __syncthreads();

    for (unsigned int stride = 32; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncwarp();
    }

    if (t == 0)
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 512; k < n && k < (i + 1) * 512; k++)
        sum += data[k];
    return sum;
}
