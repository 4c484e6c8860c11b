//! The block that comes last adds up what all have left.
//@ input in: int[n] = iota
//@ scratch part: int[n / 64] = poison
//@ scratch ticket: unsigned[1] = zero
//@ scratch out: int[1] = poison
//@ launch last_block(in, part, ticket, out, n) grid = n / 64, block = 64
//@ test 256
//@ page 512
//@ catch race

#include "twins.cuh"
__device__ int total;
__global__ void last_block(const int* in, int* part, unsigned* ticket, int* out, int n) {
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        FIX(__threadfence();)
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++) total += part[b]; //~ race
        *out = total;
    }
}
