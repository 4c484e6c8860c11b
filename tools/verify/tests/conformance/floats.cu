//! Floats within a stated bound, and a literal as an argument.
//@ input  x: float[n] = frac
//@ input  y: float[n] = frac2
//@ output out: float[n] = poison
//@ launch axpy(0.25, x, y, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 255, 256, 257, 1000
//@ page 1000
//@ tolerance abs 1e-6 rel 1e-6

extern "C" __global__ void axpy(float a, const float* x, const float* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + y[i];
}

__host__ __device__ double expected(const float* x, const float* y, int i) {
    return 0.25 * x[i] + y[i];
}
