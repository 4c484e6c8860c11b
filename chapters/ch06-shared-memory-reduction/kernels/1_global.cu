//! Rung 3 of the last chapter with blocks of 128: the sums are in global memory, in the input itself, and every round
//! loads and stores there.
//!
//! Look at: *global load requests* and *global store requests*. Only the loads of the first round, four of a block's
//! seventeen, read new numbers; the others read sums that this block has just stored.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 127) / 128] = poison
//@ launch reduce(data, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 1021, 4096, 65536, 100003
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
    for (unsigned int k = i * 128; k < n && k < (i + 1) * 128; k++)
        sum += data[k];
    return sum;
}
