//! Mean and variance in one pass, by the textbook formula: the mean of the squares minus the square of the mean. With
//! numbers around 0 it is right. In these rows the numbers go up to 200,000, and the float that holds their square
//! has hardly a digit left for a variance of some twenty thousand.
//!
//! Here the result is visibly wrong. If the difference is below zero it is worse: the square root is not a number,
//! and neither is the row.
//@ let rows = 400
//@ input in: float[rows * n] = iota
//@ output out: float[rows * n] = poison
//@ launch layernorm(in, out, n) grid = rows, block = 256
//@ test 500
//@ page 500
//@ bytes 8 * n * rows
//@ tolerance rel 1e-3 abs 1e-3
//@ catch wrong-result

/// The sum of a block's values, in every thread.
__device__ float block_sum(float value) {
    __shared__ float warps[8];
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = warps[threadIdx.x % 8];  // four times over in each warp
    for (unsigned int distance = 4; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

extern "C" __global__ void layernorm(const float* in, float* out, unsigned int n) {
    const float* x = in + blockIdx.x * n;
    float* y = out + blockIdx.x * n;
    unsigned int t = threadIdx.x;

    float sum = 0, squares = 0;
    for (unsigned int i = t; i < n; i += 256) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    float mean = block_sum(sum) / n;
    __syncthreads();  // before the block's sums are used again
    float variance = block_sum(squares) / n - mean * mean;  //~ wrong-result
    float scale = rsqrtf(variance + 1e-5f);

    for (unsigned int i = t; i < n; i += 256)
        y[i] = (x[i] - mean) * scale;
}

/// Element i, from its whole row.
__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    const float* x = in + i / n * n;
    double sum = 0, squares = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += x[k];
    double mean = sum / n;
    for (unsigned int k = 0; k < n; k++)
        squares += (x[k] - mean) * (x[k] - mean);
    return (float)((in[i] - mean) / sqrt(squares / n + 1e-5));
}
