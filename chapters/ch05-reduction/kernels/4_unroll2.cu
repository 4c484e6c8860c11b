//! Before the rounds begin, each thread adds the number of a second tile to its own. There are fewer
//! blocks, and so fewer rounds and barriers in all; and all 512 threads work in the new first addition.
//!
//! Look at: *barriers* and *warp instructions*, which fall for the same sum.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 1023) / 1024] = poison
//@ launch reduce(data, out, n) grid = (n + 1023) / 1024, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 1023, 1024, 1025, 4096, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n

extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x * 2;
    unsigned int count = min(blockDim.x * 2, n - start);  // fewer at the end
    int* tile = data + start;

    if (t + blockDim.x < count)
        tile[t] += tile[t + blockDim.x];
    __syncthreads();

    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride && t + stride < count)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t == 0)
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 1024; k < n && k < (i + 1) * 1024; k++)
        sum += data[k];
    return sum;
}
