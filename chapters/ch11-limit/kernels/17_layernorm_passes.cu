//! Layernorm of each row: y = (x - mean) / sqrt(variance + 0.00001) * gain + bias, with a gain and a
//! bias for each column. A block takes one row and reads it three times: for the mean, for the mean
//! of the squared distances from it, and to write.
//!
//! The bytes that count are those of the matrix. Every block reads gain and bias, and finds them in a
//! cache.
//!
//! Look at: *global load sectors*.
//@ let rows = max(4, (1 - min(1, n % 1024)) * (2^28 / n))
//@ input in: float[rows * n] = frac
//@ input gain: float[n] = frac2
//@ input bias: float[n] = frac
//@ output out: float[rows * n] = poison
//@ launch layernorm(in, gain, bias, out, n) grid = rows, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1000, 4100
//@ page 516
//@ measure 2^10, 2^13, 2^16
//@ bytes 8 * n * rows
//@ tolerance rel 1e-4 abs 1e-4
//@ differs fewer global_load_requests, global_load_sectors: the compiler reads once what the source reads twice (2026-11-21)

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

extern "C" __global__ void layernorm(
    const float* in, const float* gain, const float* bias, float* out, unsigned int n) {
    const float* x = in + blockIdx.x * n;
    float* y = out + blockIdx.x * n;
    unsigned int t = threadIdx.x;

    float sum = 0;
    for (unsigned int i = t; i < n; i += 256)
        sum += x[i];
    float mean = block_sum(sum) / n;

    float squares = 0;
    for (unsigned int i = t; i < n; i += 256)
        squares += (x[i] - mean) * (x[i] - mean);
    __syncthreads();  // before the block's sums are used again
    float scale = rsqrtf(block_sum(squares) / n + 1e-5f);

    for (unsigned int i = t; i < n; i += 256)
        y[i] = (x[i] - mean) * scale * gain[i] + bias[i];
}

/// Element i, from its whole row.
__host__ __device__ float expected(
    const float* in, const float* gain, const float* bias, unsigned int n, unsigned int i) {
    const float* x = in + i / n * n;
    double sum = 0, squares = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += x[k];
    double mean = sum / n;
    for (unsigned int k = 0; k < n; k++)
        squares += (x[k] - mean) * (x[k] - mean);
    double scale = 1 / sqrt(squares / n + 1e-5);
    return (float)((in[i] - mean) * scale * gain[i % n] + bias[i % n]);
}
