//! Blocks of 64, and a kernel that was written for 256: its rounds count down from a constant. 64 of
//! the tile's 256 words are set, and the first round adds words that nobody wrote.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 255) / 256] = poison
//@ launch reduce(data, out, n) grid = (n + 255) / 256, block = 256 / 4
//@ test 256, 65536
//@ page 4096
//@ bytes 4 * n
//@ catch uninitialised

const unsigned int DIM = 256;

extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
    __shared__ int tile[DIM];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 4 + t;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 4; k++, i += blockDim.x)
        sum += i < n ? data[i] : 0;
    tile[t] = sum;
    __syncthreads();

    for (unsigned int stride = DIM / 2; stride > 0; stride /= 2) {
        if (t < stride)
            tile[t] += tile[t + stride];  //~ uninitialised
        __syncthreads();
    }

    if (t == 0)
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 256; k < n && k < (i + 1) * 256; k++)
        sum += data[k];
    return sum;
}
