//! The function that stands between the layers of most neural networks: what is negative becomes
//! zero. One number is read and one is written.
//!
//! Look at: *branches* and *global load requests*. The line has a condition and names `in[i]` twice,
//! and the page's simulator counts both as the source says it. NVIDIA's compiler turns the condition
//! into one instruction that takes the larger of two numbers, and loads once.
//@ input  in: float[n] = frac
//@ output out: float[n] = poison
//@ launch relu(in, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021, 4096, 100003
//@ page 2^16
//@ measure 2^24, 2^28
//@ bytes 8 * n
//@ differs fewer global_load_requests, global_load_sectors: the compiler reads once what the source reads twice (2026-11-21)
//@ equivalent `>=` for `>` in `out[i] = in[i] > 0.0f ? in[i] : 0.0f;`: zero gives zero on both sides of the question

extern "C" __global__ void relu(const float* in, float* out, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] > 0.0f ? in[i] : 0.0f;
}

__host__ __device__ float expected(const float* in, unsigned int i) {
    return in[i] > 0.0f ? in[i] : 0.0f;
}
