//! A name that nobody declared.
//@ output out: int[n] = poison
//@ launch fill(out) grid = 1, block = 32
//@ page 32

extern "C" __global__ void fill(int* out) {
    out[threadIdx.x] = tread;
}

__host__ __device__ int expected(int i) {
    return i;
}
