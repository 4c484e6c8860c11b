//! The same pairs, added by adjacent threads. A warp has work in all its lanes or in none,
//! until fewer than 32 pairs are left. The remainder, for which a GPU has no instruction, is
//! gone as well.
//!
//! Look at: *divergent branches*, which fall; and *sectors per load*, which rise.
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
        unsigned int i = 2 * stride * t;
        if (i + stride < count)
            tile[i] += tile[i + stride];
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
