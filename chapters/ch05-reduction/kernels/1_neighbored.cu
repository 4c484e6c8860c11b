//! Nine rounds reduce a block's 512 numbers to one. The sums are stored in the input array, in global memory, and a
//! barrier ends each round. The threads that add are spread over all sixteen warps, so in each of the first rounds
//! every warp executes the addition, with half of its lanes idle or more.
//!
//! Look at: *divergent branches*, and *active lanes*, of which 32 would be the best.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 511) / 512] = poison
//@ launch reduce(data, out, n) grid = (n + 511) / 512, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 4096, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ equivalent `<=` for `<` in `for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {`: the last stride is the block's size, and no partner lies that far inside the tile

extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x;
    unsigned int count = min(blockDim.x, n - start);  // fewer at the end
    int* tile = data + start;

    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < count)
            tile[t] += tile[t + stride];
        __syncthreads();
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
