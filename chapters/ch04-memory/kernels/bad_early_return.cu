//! `if (i >= n) return;` looks like a guard. It guards only the thread's *own* element. The partner is
//! `distance` further on, and in the last block, if it is not full, that is beyond the end.
//!
//! Sums like those of chapter 5 are often published with this defect. If n is a multiple of the block size,
//! nothing is wrong.
//@ input  data: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch pairs(data, out, n, 128) grid = (n + 255) / 256, block = 256
//@ test 1000
//@ page 1000
//@ catch bounds

extern "C" __global__ void pairs(const int* data, int* out, unsigned int n,
                                 unsigned int distance) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = data[i];
    if (threadIdx.x < distance)
        sum += data[i + distance];  //~ bounds
    out[i] = sum;
}

__host__ __device__ int expected(
    const int* data, unsigned int n, unsigned int i) {
    return i % 256 < 128 && i + 128 < n ? data[i] + data[i + 128] : data[i];
}
