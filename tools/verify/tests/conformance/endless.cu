//! A loop that waits for what never comes.
//@ input  flag: int[1] = zero
//@ output out: int[n] = poison
//@ launch wait(flag, out) grid = 1, block = n
//@ test 32, 64, 96
//@ page 32
//@ skip gpu: it would never come back (2026-11-21)

extern "C" __global__ void wait(volatile int* flag, int* out) {
    while (flag[0] == 0) {
    }
    out[threadIdx.x] = threadIdx.x;
}

__host__ __device__ int expected(int i) {
    return i;
}
