//! The fourth file once more, launched with blocks of every size. Only numbers in the launch change:
//! the block, the grid that goes with it, and the bytes of shared memory.
//!
//! Look at: the verdict, which is the same for each; and the time.
//@ input  data: int[n] = lcg256
//@ vary block = 32, 64, 128, 256, 512, 1024
//@ let chunk = 4 * block
//@ output out: int[(n + chunk - 1) / chunk] = poison
//@ launch reduce(data, out, n) grid = (n + chunk - 1) / chunk, block = block, shared = 4 * block
//@ test 1, 31, 32, 33, 127, 128, 129, 1021, 4096, 65536, 100003
//@ page 2^17
//@ measure 2^24, 2^28
//@ bytes 4 * n

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
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(
    const int* data, unsigned int n, unsigned int chunk, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * chunk; k < n && k < (i + 1) * chunk; k++)
        sum += data[k];
    return sum;
}
