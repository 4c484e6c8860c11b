//! The same with shared memory: a block stores its numbers and one more on either side there, waits, and reads each
//! three times.
//!
//! Look at: *global load sectors*, beside those of `17_window.cu`; and the time.
//@ input  data: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch window(data, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 2, 31, 32, 33, 255, 256, 257, 1021, 65536, 100003
//@ page 2^17
//@ measure 2^24, 2^28
//@ bytes 8 * n

extern "C" __global__ void window(const int* data, int* out, unsigned int n) {
    __shared__ int tile[258];  // the block's numbers, and one on either side
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + t;

    tile[t + 1] = i < n ? data[i] : 0;
    if (t == 0)
        tile[0] = i > 0 ? data[i - 1] : 0;
    if (t == 255)
        tile[257] = i + 1 < n ? data[i + 1] : 0;
    __syncthreads();

    if (i < n)
        out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

/// A number and its two neighbours.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    return (i > 0 ? data[i - 1] : 0) + data[i] + (i + 1 < n ? data[i + 1] : 0);
}
