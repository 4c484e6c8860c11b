//! A loop whose end never comes.
//@ input  flag: int[1] = zero
//@ output out: int[n] = poison
//@ launch wait(flag, out) grid = 1, block = n
//@ test 32, 64, 96
//@ page 32
//@ skip gpu: it would never come back (2026-11-21)

extern "C" __global__ void wait(const int* flag, int* out) {
    for (unsigned int odd = 1; odd != 0; odd += 2) {
    }
    out[threadIdx.x] = flag[0];
}

__host__ __device__ int expected(int i) {
    return i;
}
