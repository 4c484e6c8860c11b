//! Sixteen numbers per thread are added in a register. The lanes of a warp add their sums with shuffles; the sixteen
//! sums of the warps meet in shared memory, and one warp adds them in the same way. Global memory is read once, and
//! written once per block.
//!
//! Look at: *global store requests*, *barriers* and *warp instructions*, which all fall.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 8191) / 8192] = poison
//@ launch reduce(data, out, n) grid = (n + 8191) / 8192, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 8191, 8192, 8193, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ equivalent `<=` for `<` in `for (unsigned int k = 0; k < 16; k++) {`: the seventeenth round begins where the block's part ends, and adds 0

/// The sum over a warp's lanes, in lane 0.
__device__ int warp_sum(int sum) {
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
    __shared__ int warps[16];  // one sum for each warp of the block
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 16;
    unsigned int count = min(blockDim.x * 16, n - start);  // fewer at the end
    const int* tile = data + start;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 16; k++) {
        unsigned int i = t + k * blockDim.x;
        sum += i < count ? tile[i] : 0;
    }

    sum = warp_sum(sum);
    if (t % 32 == 0)
        warps[t / 32] = sum;
    __syncthreads();

    if (t < 32) {
        sum = warp_sum(t < 16 ? warps[t] : 0);
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 8192; k < n && k < (i + 1) * 8192; k++)
        sum += data[k];
    return sum;
}
