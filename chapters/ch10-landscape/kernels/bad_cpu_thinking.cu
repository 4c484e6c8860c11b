//! A loop as it is written for a CPU, with one addition after another into one sum, and its index replaced by a
//! thread. On a CPU the loop gave the additions an order. Here all threads read the sum, add to it, and write it
//! back, and nothing orders them.
//!
//! Many programmers who come from a CPU write this first. Chapter 5 shows how to do it.
//@ input  data: int[n] = lcg256
//@ output sum: int[1] = zero
//@ launch total(data, sum, n) grid = (n + 255) / 256, block = 256
//@ test 256, 1000
//@ page 1000
//@ bytes 4 * n
//@ catch race
//@ fold add

extern "C" __global__ void total(
    const int* data, int* sum, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[0] += data[i];  //~ race
}

__host__ __device__ int expected_part(
    const int* data, unsigned int n, unsigned int i,
    unsigned int part, unsigned int parts) {
    int total = 0;
    for (unsigned int k = part; k < n; k += parts)
        total += data[k];
    return total;
}
