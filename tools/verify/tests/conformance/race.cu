//! Each thread reads what its neighbour writes, and nothing orders the two.
//@ input  data: int[n] = iota
//@ output out: int[n] = poison
//@ launch shift(data, out, n) grid = 1, block = n
//@ page 128
//@ skip gpu: what a device does with it is not defined (2026-11-21)

extern "C" __global__ void shift(int* data, int* out, int n) {
    int i = threadIdx.x;
    data[i] = 2 * i;
    out[i] = data[n - 1 - i];
}

__host__ __device__ int expected(int n, int i) {
    return 2 * (n - 1 - i);
}
