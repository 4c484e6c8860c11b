//! The block that comes last has counted all others: the counter is its own. Who comes first has not.
//@ input in: int[n] = iota
//@ scratch part: int[n / 64] = poison
//@ scratch ticket: unsigned[1] = zero
//@ scratch out: int[1] = poison
//@ launch last_block_resets(in, part, ticket, out, n) grid = n / 64, block = 64
//@ test 256
//@ page 512
//@ catch race

#include "twins.cuh"
__global__ void last_block_resets(const int* in, int* part, unsigned* ticket, int* out, int n) {
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
        __threadfence();
        unsigned mine = atomicAdd(ticket, 1); //~ race
        last = mine == EITHER((gridDim.x - 1), (0));
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = s[0];
        *out = sum;
        *ticket = 0;
    }
}
