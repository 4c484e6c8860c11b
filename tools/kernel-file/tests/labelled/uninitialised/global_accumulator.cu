//@ input in: int[n] = iota
//@ scratch sum: int[1] = poison
//@ launch global_accumulator(in, sum) grid = 1, block = n
//@ page 64
//@ catch uninitialised

#include "twins.cuh"
__global__ void global_accumulator(const int* in, int* sum) {
    FIX(if (threadIdx.x == 0) *sum = 0; __syncthreads();)
    atomicAdd(sum, in[threadIdx.x]); //~ uninitialised
}
