//! Each thread doubles one number.
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch KERNEL(in, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1009
//@ page 2^16

__global__ void KERNEL(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

/// Element i of the right result.
__host__ __device__ int expected(const int* in, int i) {
    return 2 * in[i];
}
