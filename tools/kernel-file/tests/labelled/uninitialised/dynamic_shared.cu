//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch dynamic_shared(in, out) grid = 1, block = n, shared = 8 * n
//@ page 64
//@ catch uninitialised

#include "twins.cuh"
__global__ void dynamic_shared(const int* in, int* out) {
    extern __shared__ int s[];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = in[t];
    FIX(s[n + t] = 1;)
    __syncthreads();
    out[t] = s[t] * s[2 * n - 1 - t]; //~ uninitialised
}
