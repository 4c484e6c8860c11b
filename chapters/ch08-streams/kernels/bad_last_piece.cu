//! Four pieces of equal size: each is given as many numbers as the first. That is right only if `n`
//! is a multiple of four, as it usually is in a test. Otherwise the last piece reaches up to three
//! numbers past the end.
//!
//! On a device this often goes unnoticed: an allocation is rounded up, so nothing else uses the
//! numbers after the end. If many buffers come from one pool, they are part of another buffer.
//@ output data: float[n] = frac
//@ let piece = (n + 3) / 4
//@ let blocks = (piece + 255) / 256
//@ launch work(data, 0 * piece, piece) grid = blocks, block = 256
//@ launch work(data, 1 * piece, piece) grid = blocks, block = 256
//@ launch work(data, 2 * piece, piece) grid = blocks, block = 256
//@ launch work(data, 3 * piece, piece) grid = blocks, block = 256
//@ test 1021, 4097
//@ page 1021
//@ bytes 8 * n
//@ catch bounds

/// `count` numbers from `first` on.
extern "C" __global__ void work(
    float* data, unsigned int first, unsigned int count) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[first + i] = data[first + i] * 0.5f + 0.25f;  //~ bounds
}

__host__ __device__ float expected(const float* data, unsigned int i) {
    return data[i] * 0.5f + 0.25f;
}
