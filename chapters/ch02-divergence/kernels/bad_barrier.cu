//! Two barriers, one on each side of a branch. Every thread of the block calls `__syncthreads`, but
//! not the same one: half of them wait here and half wait there.
//!
//! C++ for CUDA allows a barrier in conditional code only where the whole block takes the same
//! side. What happens here is not defined. Old GPUs counted arrivals and let it pass; a newer one may
//! hang, or let one half go on before the other half has written.
//@ input  in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch exchange(in, out) grid = n / 64, block = 64
//@ test 64, 128
//@ page 64
//@ catch barrier

extern "C" __global__ void exchange(const int* in, int* out) {
    __shared__ int tile[64];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + t;
    if (t % 2 == 0) {
        tile[t] = in[i];
        __syncthreads();  //~ barrier
        out[i] = tile[t + 1];
    } else {
        tile[t] = -in[i];
        __syncthreads();  //~ barrier
        out[i] = tile[t - 1];
    }
}

__host__ __device__ int expected(const int* in, unsigned int i) {
    return i % 2 == 0 ? -in[i + 1] : in[i - 1];
}
