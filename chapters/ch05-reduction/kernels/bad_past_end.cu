//! Rung 3 without `count`. If n is a multiple of the block size nothing is wrong, and that is how it is
//! usually tested. With 1000 numbers the second block has 488, and thread 232 reads a number that does not
//! exist.
//!
//! On a GPU this read seldom faults: the memory behind an array mostly belongs to the same program. It returns
//! whatever is there, and the sum is wrong without an error.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 511) / 512] = poison
//@ launch reduce(data, out, n) grid = (n + 511) / 512, block = 512
//@ test 1000
//@ page 1000
//@ bytes 4 * n
//@ catch bounds

extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x;
    int* tile = data + start;

    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];  //~ bounds
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
