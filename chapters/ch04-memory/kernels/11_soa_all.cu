//! All four fields from four arrays, in four loads of four sectors each. (The source names `x`,
//! `y` and `z` twice, and the simulator counts seven loads, as it is written. The compiler loads
//! each once.)
//@ input  x: float[n] = frac
//@ input  y: float[n] = frac2
//@ input  z: float[n] = frac
//@ input  mass: float[n] = frac2
//@ output out: float[n] = poison
//@ launch moments(x, y, z, mass, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^16
//@ measure 2^24
//@ bytes 20 * n
//@ tolerance abs 1e-5 rel 1e-5
//@ differs fewer global_load_requests, global_load_sectors: the compiler reads once what the source reads twice (2026-11-21)

extern "C" __global__ void moments(
    const float* x, const float* y, const float* z, const float* mass,
    float* out, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = mass[i] * (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
}

__host__ __device__ float expected(
    const float* x, const float* y, const float* z, const float* mass,
    unsigned int i) {
    return mass[i] * (x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
}
