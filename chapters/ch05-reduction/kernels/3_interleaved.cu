//! Other pairs: thread t adds the number half a tile away, then a quarter, then an eighth. Now the working threads
//! are adjacent, and so are the numbers that they access.
//!
//! Look at: *sectors per load*. Four is the minimum for 32 ints.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 511) / 512] = poison
//@ launch reduce(data, out, n) grid = (n + 511) / 512, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 4096, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n

extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x;
    unsigned int count = min(blockDim.x, n - start);  // fewer at the end
    int* tile = data + start;

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
    for (unsigned int k = i * 512; k < n && k < (i + 1) * 512; k++)
        sum += data[k];
    return sum;
}
