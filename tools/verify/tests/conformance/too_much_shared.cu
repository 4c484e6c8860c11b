//! More static shared memory than a block may have.
//@ output out: int[n] = poison
//@ launch fill(out) grid = 1, block = 32
//@ page 32

extern "C" __global__ void fill(int* out) {
    __shared__ int values[16384];
    values[threadIdx.x * 512] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x * 512];
}

__host__ __device__ int expected(int i) {
    return i;
}
