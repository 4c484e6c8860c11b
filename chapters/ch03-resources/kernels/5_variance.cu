//! Each thread needs 48 numbers twice: first for their mean, then for their distance from it. In between it keeps
//! them in registers.
//!
//! Look at: *registers*, in the line of NVIDIA's compiler below.
//@ input  data: float[48 * n] = frac
//@ output out: float[n] = poison
//@ launch variance(data, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021
//@ page 2^14
//@ measure 2^20
//@ bytes 196 * n
//@ tolerance abs 1e-5 rel 1e-5

extern "C" __global__ void variance(
    const float* data, float* out, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float mine[48];
    float sum = 0.0f;
#pragma unroll
    for (unsigned int k = 0; k < 48; k++)
        mine[k] = data[k * n + i];
#pragma unroll
    for (unsigned int k = 0; k < 48; k++)
        sum += mine[k];
    float mean = sum / 48.0f;

    float squares = 0.0f;
#pragma unroll
    for (unsigned int k = 0; k < 48; k++)
        squares += (mine[k] - mean) * (mine[k] - mean);
    out[i] = squares / 48.0f;
}

__host__ __device__ float expected(
    const float* data, unsigned int n, unsigned int i) {
    float sum = 0.0f, squares = 0.0f;
    for (unsigned int k = 0; k < 48; k++)
        sum += data[k * n + i];
    float mean = sum / 48.0f;
    for (unsigned int k = 0; k < 48; k++)
        squares += (data[k * n + i] - mean) * (data[k * n + i] - mean);
    return squares / 48.0f;
}
