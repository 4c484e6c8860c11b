//! Two kernels that must not become one. The first replaces negative numbers by zero, the second
//! computes the mean of three neighbours. As two launches they are right: the second begins when all
//! blocks of the first have ended.
//!
//! In one kernel a barrier takes the place of that boundary. But a barrier is for the threads of one
//! block. At a block's edge the neighbour belongs to another block, which may not have written yet.
//!
//! What a thread computes for itself can be fused. What other blocks need cannot, unless each block
//! computes the numbers beyond its edges itself.
//@ input  x: float[n] = frac
//@ scratch cut: float[n] = zero
//@ output y: float[n] = poison
//@ launch relu_blur(x, cut, y, n) grid = (n + 255) / 256, block = 256
//@ test 512, 1021
//@ page 1021
//@ bytes 8 * n
//@ tolerance abs 1e-6 rel 1e-6
//@ catch race

extern "C" __global__ void relu_blur(
    const float* x, float* cut, float* y, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cut[i] = max(x[i], 0.0f);
    __syncthreads();
    if (i < n) {
        float before = i > 0 ? cut[i - 1] : 0.0f;  //~ race
        float after = i + 1 < n ? cut[i + 1] : 0.0f;  //~ race
        y[i] = (before + cut[i] + after) / 3.0f;
    }
}

__host__ __device__ float expected(
    const float* x, unsigned int n, unsigned int i) {
    float before = i > 0 ? max(x[i - 1], 0.0f) : 0.0f;
    float after = i + 1 < n ? max(x[i + 1], 0.0f) : 0.0f;
    return (before + max(x[i], 0.0f) + after) / 3.0f;
}
