//! The launch names a kernel that is not there.
//@ output out: int[n] = poison
//@ launch fil(out) grid = 1, block = n
//@ page 32

extern "C" __global__ void fill(int* out) {
    out[threadIdx.x] = threadIdx.x;
}

__host__ __device__ int expected(int i) {
    return i;
}
