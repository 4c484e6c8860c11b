//! What is a GPU good at? Every thread computes the same: a chain of additions and multiplications, each of
//! which waits for the one before. `n` is the length of the chain. The number of threads goes from one to a
//! million.
//!
//! Look at: how long the time stays the same.
//@ vary threads = 1, 32, 1024, 16384, 67584, 270336, 1081344
//@ output out: float[threads] = poison
//@ launch chain(out, threads, n) grid = (threads + 255) / 256, block = 256
//@ test 1, 7, 8, 9, 1021
//@ page 16
//@ measure 2^16
//@ bytes 4 * threads
//@ flops 2 * threads * n
//@ tolerance abs 1e-5 rel 1e-5

__host__ __device__ float steps(float x, unsigned int n) {
#pragma unroll 16
    for (unsigned int s = 0; s < n; s++)
        x = x * 0.5f + 0.25f;
    return x;
}

extern "C" __global__ void chain(
    float* out, unsigned int threads, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < threads)
        out[i] = steps((float)i, n);
}

__host__ __device__ float expected(unsigned int n, unsigned int i) {
    return steps((float)i, n);
}
