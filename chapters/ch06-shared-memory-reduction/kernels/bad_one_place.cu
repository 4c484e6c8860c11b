//! The dynamic version as it is in the notes, except for its comparisons: every block stores its sum in
//! `out[threadIdx.x]`, and the thread that stores is number 0. All blocks write to one element, and the last one
//! wins.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 511) / 512] = zero
//@ launch reduce(data, out, n) grid = (n + 511) / 512, block = 128, shared = 4 * 128
//@ test 1024, 65536
//@ page 4096
//@ bytes 4 * n
//@ catch race

extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
    extern __shared__ int tile[];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 4 + t;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 4; k++, i += blockDim.x)
        sum += i < n ? data[i] : 0;
    tile[t] = sum;
    __syncthreads();

    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];
        __syncthreads();
    }

    if (t == 0)
        out[threadIdx.x] = tile[0];  //~ race
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 512; k < n && k < (i + 1) * 512; k++)
        sum += data[k];
    return sum;
}
