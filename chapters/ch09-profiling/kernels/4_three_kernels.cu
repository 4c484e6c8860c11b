//! A layer of a network as three steps: a matrix product, then the bias, then ReLU. `x` has `n` rows of `k` numbers,
//! `w` has `k` rows of 256.
//!
//! Three launches. Between them the whole result is written to memory and read back, twice.
//!
//! Look at: *global load sectors* and *global store sectors*, beside those of the next file.
//@ vary k = 1, 4, 16, 64, 256
//@ input  x: float[n * k] = frac
//@ input  w: float[k * 256] = frac2
//@ input  bias: float[256] = frac
//@ scratch y: float[n * 256] = poison
//@ scratch z: float[n * 256] = poison
//@ output out: float[n * 256] = poison
//@ launch product(x, w, y, k) grid = n, block = 256
//@ launch add_bias(y, bias, z) grid = n, block = 256
//@ launch relu(z, out) grid = n, block = 256
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

extern "C" __global__ void product(
    const float* x, const float* w, float* y, unsigned int k) {
    y[blockIdx.x * 256 + threadIdx.x] = dot(x, w, k, blockIdx.x, threadIdx.x);
}

extern "C" __global__ void add_bias(
    const float* y, const float* bias, float* z) {
    unsigned int i = blockIdx.x * 256 + threadIdx.x;
    z[i] = y[i] + bias[threadIdx.x];
}

extern "C" __global__ void relu(const float* z, float* out) {
    unsigned int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = max(z[i], 0.0f);
}

__host__ __device__ float expected(
    const float* x, const float* w, const float* bias, unsigned int k,
    unsigned int i) {
    return max(dot(x, w, k, i / 256, i % 256) + bias[i % 256], 0.0f);
}
