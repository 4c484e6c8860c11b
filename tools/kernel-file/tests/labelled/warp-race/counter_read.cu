//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch counter_read(in, out) grid = 1, block = 32
//@ page 32
//@ catch race

#include "twins.cuh"
__global__ void counter_read(const int* in, int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncwarp();
    if (in[threadIdx.x] % 3 == 0) atomicAdd(&count, 1);
    FIX(__syncwarp();)
    out[threadIdx.x] = count; //~ race
}
