//! The same function without a branch: the factor and the term are selected, and then all lanes do the same. Both are
//! only values, so a selection costs one instruction.
//!
//! Look at: *global load requests* beside `8_divergent.cu`.
//@ output data: float[n] = frac
//@ launch branchless(data, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021, 4096, 100003
//@ page 2^16
//@ measure 2^24, 2^28
//@ bytes 8 * n
//@ flops 2 * n
//@ sass

extern "C" __global__ void branchless(float* data, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float scale = i % 2 == 0 ? 2.0f : 0.5f;
        float offset = i % 2 == 0 ? 1.0f : -1.0f;
        data[i] = data[i] * scale + offset;
    }
}

__host__ __device__ float expected(const float* data, unsigned int i) {
    return i % 2 == 0 ? data[i] * 2.0f + 1.0f : data[i] * 0.5f - 1.0f;
}
