//! No loop is left. A block has at most 1024 threads, so there are at most four rounds before the last warp, and each
//! is written out behind a test of the block size. The result of a test is the same for all threads of a block, so no
//! warp diverges. But the hardware has to execute the tests.
//!
//! Look at: *warp instructions* of the compiled code, compared with the loop. In the source there are no fewer: the
//! tests cost as much as the loop did.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 2047) / 2048] = poison
//@ launch reduce(data, out, n) grid = (n + 2047) / 2048, block = 512
//@ test 1, 31, 32, 33, 100, 200, 511, 512, 513, 1021, 2047, 2048, 2049, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ equivalent `<=` for `<` in `for (unsigned int k = 0; k < 4; k++) {`: the fifth round begins where the block's part ends, and adds 0
//@ equivalent `>` for `>=` in `if (blockDim.x >= 256 && t < 128 && t + 128 < count)`: the block has 512 threads, which is more than either bound
//@ equivalent `>` for `>=` in `if (blockDim.x >= 128 && t < 64 && t + 64 < count)`: the block has 512 threads, which is more than either bound

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

    if (blockDim.x >= 1024 && t < 512 && t + 512 < count)
        tile[t] += tile[t + 512];
    __syncthreads();
    if (blockDim.x >= 512 && t < 256 && t + 256 < count)
        tile[t] += tile[t + 256];
    __syncthreads();
    if (blockDim.x >= 256 && t < 128 && t + 128 < count)
        tile[t] += tile[t + 128];
    __syncthreads();
    if (blockDim.x >= 128 && t < 64 && t + 64 < count)
        tile[t] += tile[t + 64];
    __syncthreads();

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
