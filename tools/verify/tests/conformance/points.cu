//! Two variables: every launch argument, length and expectation may speak of them.
//@ vary stride = 1, 2, 32
//@ vary block = 32, 64
//@ let m = n * stride
//@ input  in: int[m] = ramp
//@ output out: int[n] = poison
//@ launch gather(in, out, n, stride) grid = (n + block - 1) / block, block = block
//@ test 1, 33, 127
//@ page 128

extern "C" __global__ void gather(const int* in, int* out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i * stride];
}

__host__ __device__ int expected(const int* in, int stride, int i) {
    return in[i * stride];
}
