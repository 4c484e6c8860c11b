//! The same layer in one kernel. The sum is in a register when the bias is added, and still there for the ReLU. Only
//! the final result is written to memory.
//!
//! Look at: *global load sectors* and *global store sectors*: the product is the same.
//@ vary k = 1, 4, 16, 64, 256
//@ input  x: float[n * k] = frac
//@ input  w: float[k * 256] = frac2
//@ input  bias: float[256] = frac
//@ output out: float[n * 256] = poison
//@ launch layer(x, w, bias, out, k) grid = n, block = 256
//@ test 1, 2, 3, 31, 33
//@ page 32
//@ measure 2^16
//@ bytes 4 * (n * k + n * 256)
//@ flops 2 * n * 256 * k
//@ tolerance abs 1e-4 rel 1e-4

/// One row of x times one column of w.
__host__ __device__ float dot(
    const float* x, const float* w, unsigned int k, unsigned int row,
    unsigned int column) {
    float sum = 0.0f;
    for (unsigned int j = 0; j < k; j++)
        sum += x[row * k + j] * w[j * 256 + column];
    return sum;
}

extern "C" __global__ void layer(
    const float* x, const float* w, const float* bias, float* out,
    unsigned int k) {
    float sum = dot(x, w, k, blockIdx.x, threadIdx.x);
    out[blockIdx.x * 256 + threadIdx.x] = max(sum + bias[threadIdx.x], 0.0f);
}

__host__ __device__ float expected(
    const float* x, const float* w, const float* bias, unsigned int k,
    unsigned int i) {
    return max(dot(x, w, k, i / 256, i % 256) + bias[i % 256], 0.0f);
}
