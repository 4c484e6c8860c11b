//! The same for shared memory: each block fills a tile of 32 KiB once and reads it again and again,
//! 16 bytes per lane, neighbouring lanes at neighbouring addresses.
//@ input  data: int[8192] = lcg256
//@ output sums: int[n] = poison
//@ launch reread(data, sums, n, 8) grid = (n + 1023) / 1024, block = 1024
//@ test 1, 1000, 1024, 4099
//@ page 4096

extern "C" __global__ void reread(const int4* data, int* sums, unsigned int n,
                                  unsigned int rounds) {
    __shared__ int4 tile[2048];
    for (unsigned int k = threadIdx.x; k < 2048; k += blockDim.x)
        tile[k] = data[k];
    __syncthreads();

    int sum = 0;
#pragma unroll 8
    for (unsigned int round = 0; round < rounds; round++) {
        int4 v = tile[(threadIdx.x + 32 * round) % 2048];
        sum += v.x + v.y + v.z + v.w;
    }
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sums[i] = sum;
}

/// What thread i has read in eight rounds.
__host__ __device__ int expected(const int* data, unsigned int i) {
    int sum = 0;
    for (unsigned int round = 0; round < 8; round++) {
        unsigned int k = 4 * ((i % 1024 + 32 * round) % 2048);
        sum += data[k] + data[k + 1] + data[k + 2] + data[k + 3];
    }
    return sum;
}
