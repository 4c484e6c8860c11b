//! The same, but the compiler evaluates the tests: the block size is a template parameter. A round that a block of
//! this size does not need is not compiled, and neither is its barrier. One test at the start selects one of the five
//! versions.
//!
//! Look at: *barriers*, which depend on the block size now; and at the time by block size.
//@ input  data: int[n] = lcg256
//@ vary block = 512, 64, 128, 256, 1024
//@ let chunk = 4 * block
//@ output out: int[(n + chunk - 1) / chunk] = poison
//@ launch reduce(data, out, n) grid = (n + chunk - 1) / chunk, block = block
//@ test 1, 31, 32, 33, 100, 200, 511, 512, 513, 1021, 2047, 2048, 2049, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ equivalent `<=` for `<` in `for (unsigned int k = 0; k < 4; k++) {`: the fifth round begins where the block's part ends, and adds 0

template <unsigned int BLOCK>
__device__ void reduce_block(int* data, int* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * BLOCK * 4;
    unsigned int count = min(BLOCK * 4, n - start);  // fewer at the end
    int* tile = data + start;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 4; k++) {
        unsigned int i = t + k * BLOCK;
        sum += i < count ? tile[i] : 0;
    }
    if (t < count)
        tile[t] = sum;
    __syncthreads();

    if (BLOCK >= 1024) {
        if (t < 512 && t + 512 < count)
            tile[t] += tile[t + 512];
        __syncthreads();
    }
    if (BLOCK >= 512) {
        if (t < 256 && t + 256 < count)
            tile[t] += tile[t + 256];
        __syncthreads();
    }
    if (BLOCK >= 256) {
        if (t < 128 && t + 128 < count)
            tile[t] += tile[t + 128];
        __syncthreads();
    }
    if (BLOCK >= 128) {
        if (t < 64 && t + 64 < count)
            tile[t] += tile[t + 64];
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

extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
    switch (blockDim.x) {
        case 64: reduce_block<64>(data, out, n); break;
        case 128: reduce_block<128>(data, out, n); break;
        case 256: reduce_block<256>(data, out, n); break;
        case 512: reduce_block<512>(data, out, n); break;
        case 1024: reduce_block<1024>(data, out, n); break;
    }
}

/// The sum of block i's numbers.
__host__ __device__ int expected(
    const int* data, unsigned int n, unsigned int chunk, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * chunk; k < n && k < (i + 1) * chunk; k++)
        sum += data[k];
    return sum;
}
