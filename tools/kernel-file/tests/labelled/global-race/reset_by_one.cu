//@ input in: int[n] = iota
//@ scratch sum: int[1] = poison
//@ scratch out: int[1] = poison
//@ launch reset_by_one(in, sum, out) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void reset_by_one(const int* in, int* sum, int* out) {
    int t = threadIdx.x;
    if (t == 0) *sum = 0;
    FIX(__syncthreads();)
    atomicAdd(sum, in[t]); //~ race
    __syncthreads();
    if (t == 0) *out = *sum;
}
