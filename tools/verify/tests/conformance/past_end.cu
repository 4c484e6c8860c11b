//! The last thread reads past the end.
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch shift(in, out, n) grid = 1, block = n
//@ page 64
//@ skip gpu: what a device does with it is not defined (2026-11-21)

extern "C" __global__ void shift(const int* in, int* out, int n) {
    int i = threadIdx.x;
    out[i] = in[i + 1];
}

__host__ __device__ int expected(int i) {
    return i + 1;
}
