//@ input in: int[n] = iota
//@ scratch out: int[1] = poison
//@ launch counter(in, out) grid = 1, block = 32
//@ page 32
//@ catch race

#include "twins.cuh"
__global__ void counter(const int* in, int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    FIX(__syncwarp();)
    if (in[threadIdx.x] % 3 == 0) atomicAdd(&count, 1); //~ race
    __syncwarp();
    if (threadIdx.x == 0) *out = count;
}
