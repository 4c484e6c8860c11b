//! An expectation that accepts anything: the bound is wider than any value.
//@ input  x: float[n] = frac
//@ output out: float[n] = poison
//@ launch twice(x, out) grid = 1, block = n
//@ page 64
//@ tolerance abs 100

extern "C" __global__ void twice(const float* x, float* out) {
    out[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x];
}

__host__ __device__ float expected(const float* x, int i) {
    return 2.0f * x[i];
}
