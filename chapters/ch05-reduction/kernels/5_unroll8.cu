//! A block takes eight tiles: each thread reads eight independent numbers. And when 64 sums
//! are left, one warp does the rest. Its lanes wait for each other with `__syncwarp`, and for no
//! other warp. Each of those rounds is: read, wait, write, wait.
//!
//! Look at: *barriers*, of which few are left; and the time.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 4095) / 4096] = poison
//@ launch reduce(data, out, n) grid = (n + 4095) / 4096, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 4095, 4096, 4097, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ equivalent `<=` for `<` in `for (unsigned int k = 0; k < 8; k++) {`: the ninth round begins where the block's part ends, and adds 0

extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 8;
    unsigned int count = min(blockDim.x * 8, n - start);  // fewer at the end
    int* tile = data + start;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 8; k++) {
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
    for (unsigned int k = i * 4096; k < n && k < (i + 1) * 4096; k++)
        sum += data[k];
    return sum;
}
