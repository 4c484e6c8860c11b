//! The masses as an array of their own: 32 of them are four sectors, all of it used. The other
//! three arrays are not touched.
//@ input  mass: float[n] = frac
//@ output out: float[n] = poison
//@ launch weights(mass, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^16
//@ measure 2^24
//@ bytes 8 * n

extern "C" __global__ void weights(
    const float* mass, float* out, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 9.81f * mass[i];
}

__host__ __device__ float expected(const float* mass, unsigned int i) {
    return 9.81f * mass[i];
}
