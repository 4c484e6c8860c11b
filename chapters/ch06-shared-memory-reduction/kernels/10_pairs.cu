//! The same pairs again, but thread t takes the t-th pair, so that whole warps work or are idle. Nearly all of the
//! divergence is gone, but there are bank conflicts: the lanes of a warp now access words that are 2, 4, 8, … apart,
//! and those are in the same banks.
//!
//! Look at: *shared load conflicts* and *shared store conflicts*.
//@ input  data: float[n] = iota
//@ output out: float[(n + 511) / 512] = poison
//@ launch reduce(data, out, n) grid = (n + 511) / 512, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 2048, 4096, 16383
//@ page 2^17
//@ measure 2048, 2^24, 2^28
//@ bytes 4 * n
//@ tolerance rel 1e-6

extern "C" __global__ void reduce(const float* data, float* out, unsigned int n) {
    __shared__ float tile[512];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + t;

    tile[t] = i < n ? data[i] : 0.0f;
    __syncthreads();

    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned int first = 2 * stride * t;
        if (first < blockDim.x)
            tile[first] += tile[first + stride];
        __syncthreads();
    }

    if (t == 0)
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ float expected(
    const float* data, unsigned int n, unsigned int i) {
    double sum = 0;
    for (unsigned int k = i * 512; k < n && k < (i + 1) * 512; k++)
        sum += data[k];
    return (float)sum;
}
