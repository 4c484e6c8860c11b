//! Each number with its two neighbours, straight out of global memory. Every number is loaded three
//! times, by three threads.
//!
//! Look at: *global load sectors*, more than the kernel with shared memory needs; and the time.
//@ input  data: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch window(data, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 2, 31, 32, 33, 255, 256, 257, 1021, 65536, 100003
//@ page 2^17
//@ measure 2^24, 2^28
//@ bytes 8 * n

extern "C" __global__ void window(const int* data, int* out, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int left = i > 0 ? data[i - 1] : 0;
    int right = i + 1 < n ? data[i + 1] : 0;
    out[i] = left + data[i] + right;
}

/// A number and its two neighbours.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    return (i > 0 ? data[i - 1] : 0) + data[i] + (i + 1 < n ? data[i + 1] : 0);
}
