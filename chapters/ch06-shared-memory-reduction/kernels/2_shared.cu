//! The tile is in shared memory. Each number is loaded once, and the rounds do not leave the multiprocessor. A thread
//! without a number stores a zero, so `count` is not needed.
//!
//! Look at: *global load requests*, which fall to one per warp, and *global store requests*, of which one per block
//! is left.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 127) / 128] = poison
//@ launch reduce(data, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 1021, 4096, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n

extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
    __shared__ int tile[128];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + t;

    tile[t] = i < n ? data[i] : 0;
    __syncthreads();

    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t == 0)
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 128; k < n && k < (i + 1) * 128; k++)
        sum += data[k];
    return sum;
}
