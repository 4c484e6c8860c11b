//! A read of what nobody wrote.
//@ scratch work: int[n] = poison
//@ output out: int[n] = poison
//@ launch copy(work, out) grid = 1, block = n
//@ page 32
//@ skip gpu: a device cannot tell (2026-11-21)

extern "C" __global__ void copy(const int* work, int* out) {
    out[threadIdx.x] = work[threadIdx.x] * 0;
}

__host__ __device__ int expected(int i) {
    return 0;
}
