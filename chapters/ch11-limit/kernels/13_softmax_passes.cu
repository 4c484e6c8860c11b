//! Softmax of each row: y = exp(x - m) / (sum of all exp(x - m)), where m is the row's maximum. A
//! block takes one row and reads it three times: for m, for the sum, and to write. The second and the
//! third time the row may still be in a cache.
//!
//! `n` is the length of a row. If it is a multiple of 1024, as in the measurements, there are as many
//! rows as make a gibibyte; otherwise there are four.
//!
//! Look at: *global load sectors*: each number is loaded in three passes.
//@ let rows = max(4, (1 - min(1, n % 1024)) * (2^28 / n))
//@ input in: float[rows * n] = frac
//@ output out: float[rows * n] = poison
//@ launch softmax(in, out, n) grid = rows, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1000
//@ page 516
//@ measure 2^10, 2^13, 2^16
//@ bytes 8 * n * rows
//@ tolerance rel 1e-4 abs 1e-9

/// The greatest of a block's values, in every thread.
__device__ float block_max(float value) {
    __shared__ float warps[8];
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = warps[threadIdx.x % 8];  // four times over in each warp
    for (unsigned int distance = 4; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    return value;
}

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

extern "C" __global__ void softmax(const float* in, float* out, unsigned int n) {
    const float* x = in + blockIdx.x * n;
    float* y = out + blockIdx.x * n;
    unsigned int t = threadIdx.x;

    float most = -3.402823466e38f;  // less than any
    for (unsigned int i = t; i < n; i += 256)
        most = fmaxf(most, x[i]);
    most = block_max(most);

    float sum = 0;
    for (unsigned int i = t; i < n; i += 256)
        sum += expf(x[i] - most);
    sum = block_sum(sum);

    for (unsigned int i = t; i < n; i += 256)
        y[i] = expf(x[i] - most) / sum;
}

/// Element i, from its whole row.
__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    const float* x = in + i / n * n;
    float most = x[0];
    for (unsigned int k = 1; k < n; k++)
        most = fmaxf(most, x[k]);
    double sum = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += expf(x[k] - most);
    return (float)(expf(in[i] - most) / sum);
}
