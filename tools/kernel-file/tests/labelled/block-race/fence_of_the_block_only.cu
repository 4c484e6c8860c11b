//@ scratch part: int[n] = poison
//@ scratch ticket: unsigned[1] = zero
//@ scratch out: int[1] = poison
//@ launch fence_of_the_block_only(part, ticket, out) grid = n, block = 32
//@ page 4
//@ catch race

#include "twins.cuh"
__device__ int total;
__global__ void fence_of_the_block_only(int* part, unsigned* ticket, int* out) {
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        EITHER((__threadfence()), (__threadfence_block()));
        if (atomicAdd(ticket, 1) == gridDim.x - 1) {
            int total = 0;
            for (int b = 0; b < gridDim.x; b++) total += part[b]; //~ race
            *out = total;
        }
    }
}
