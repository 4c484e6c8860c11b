//! The minimum cost of a transpose and a softmax: each byte is read once and written once. One vector
//! of 16 bytes per thread, and then the thread ends.
//!
//! Look at: *sectors per load* and *per store*; and the time, the reference for what follows.
//@ input in: float[n * n] = frac
//@ output out: float[n * n] = poison
//@ launch copy(in, out, n * n) grid = (n * n + 1023) / 1024, block = 256
//@ test 1, 5, 31, 32, 33, 64, 65, 100, 257
//@ page 512
//@ measure 16384
//@ bytes 8 * n * n

extern "C" __global__ void copy(const float* in, float* out, unsigned int count) {
    unsigned int i = blockIdx.x * 256 + threadIdx.x;
    unsigned int vectors = count / 4;
    if (i < vectors)
        reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
    if (i < count % 4)
        out[vectors * 4 + i] = in[vectors * 4 + i];
}

/// The same element.
__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    return in[i];
}
