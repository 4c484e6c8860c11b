//! Between rungs 4 and 5: four tiles per block. The rounds are a loop, and the last warp finishes alone
//! as in rung 5.
//!
//! Look at: the time, between that of two tiles and that of eight.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 2047) / 2048] = poison
//@ launch reduce(data, out, n) grid = (n + 2047) / 2048, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 2047, 2048, 2049, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ equivalent `<=` for `<` in `for (unsigned int k = 0; k < 4; k++) {`: the fifth round begins where the block's part ends, and adds 0

extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 4;
    unsigned int count = min(blockDim.x * 4, n - start);  // fewer at the end
    int* tile = data + start;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 4; k++) {
        unsigned int i = t + k * blockDim.x;
        sum += i < count ? tile[i] : 0;
    }
    if (t < count)
        tile[t] = sum;
    __syncthreads();

    for (unsigned int stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (t < stride && t + stride < count)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t < 32) {
#pragma unroll
        for (unsigned int stride = 32; stride > 0; stride /= 2) {
            sum = t < count ? tile[t] : 0;
            sum += t + stride < count ? tile[t + stride] : 0;
            __syncwarp();
            if (t < count)
                tile[t] = sum;
            __syncwarp();
        }
    }

    if (t == 0)
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 2048; k < n && k < (i + 1) * 2048; k++)
        sum += data[k];
    return sum;
}
