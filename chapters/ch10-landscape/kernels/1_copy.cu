//! How much does the memory move? Each thread reads four floats at once and writes them elsewhere,
//! and does nothing else. The last few numbers, where `n` is no multiple of four, go one by one.
//!
//! Look at: the bytes per second, read and written together.
//@ input  from: float[n] = frac
//@ output to: float[n] = poison
//@ launch copy(from, to, n) grid = (n / 4 + 256) / 256, block = 256
//@ test 1, 3, 4, 5, 31, 32, 33, 1021, 1023, 1024, 1025, 65536
//@ page 2^20
//@ measure 2^24, 2^28
//@ bytes 8 * n

extern "C" __global__ void copy(
    const float* from, float* to, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4)
        reinterpret_cast<float4*>(to)[i] =
            reinterpret_cast<const float4*>(from)[i];
    else if (i == n / 4)
        for (unsigned int k = n / 4 * 4; k < n; k++)
            to[k] = from[k];
}

__host__ __device__ float expected(const float* from, unsigned int i) {
    return from[i];
}
