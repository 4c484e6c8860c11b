//! Even elements are doubled and incremented; odd elements are halved and decremented. Each path has its own load,
//! computation and store.
//!
//! Look at: *global load requests*: the two halves of a warp load one after the other.
//@ output data: float[n] = frac
//@ launch divergent(data, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1021, 4096, 100003
//@ page 2^16
//@ measure 2^24, 2^28
//@ bytes 8 * n
//@ flops 2 * n
//@ sass
//@ differs fewer global_load_requests, global_load_sectors: the compiler reads once what the source reads twice (2026-11-21)

extern "C" __global__ void divergent(float* data, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (i % 2 == 0)
            data[i] = data[i] * 2.0f + 1.0f;
        else
            data[i] = data[i] * 0.5f - 1.0f;
    }
}

__host__ __device__ float expected(const float* data, unsigned int i) {
    return i % 2 == 0 ? data[i] * 2.0f + 1.0f : data[i] * 0.5f - 1.0f;
}
