//! All threads write; the fence of each, and a barrier before the ticket.
//@ scratch part: int[64 * n] = poison
//@ scratch ticket: unsigned[1] = zero
//@ scratch out: int[64] = poison
//@ launch last_block_of_all_threads(part, ticket, out) grid = n, block = 64
//@ page 4
//@ catch race

#include "twins.cuh"
__device__ int total;
__global__ void last_block_of_all_threads(int* part, unsigned* ticket, int* out) {
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t;
    __threadfence();
    FIX(__syncthreads();)
    if (t == 0) last = atomicAdd(ticket, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++) total += part[b * 64 + 63 - t]; //~ race
        out[t] = total;
    }
}
