//! A block of more threads than there can be.
//@ output out: int[n] = poison
//@ launch fill(out) grid = 1, block = n
//@ page 2048

extern "C" __global__ void fill(int* out) {
    out[threadIdx.x] = threadIdx.x;
}

__host__ __device__ int expected(int i) {
    return i;
}
