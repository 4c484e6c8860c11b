//! The third element of every four is one too small.
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch copy(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 128
//@ page 128

extern "C" __global__ void copy(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] - (i % 4 == 3);
}

__host__ __device__ int expected(const int* in, int i) {
    return in[i];
}
