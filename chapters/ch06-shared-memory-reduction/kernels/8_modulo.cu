//! Floats, in blocks of 512. In every round every thread tests whether its index is a multiple of twice the stride.
//! The test uses `%`, for which a GPU has no instruction.
//!
//! Look at: *divergent branches*. With 2048 numbers 0, 1, 2, … the four sums add up to 2,096,128.
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
        if (t % (2 * stride) == 0)
            tile[t] += tile[t + stride];
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
