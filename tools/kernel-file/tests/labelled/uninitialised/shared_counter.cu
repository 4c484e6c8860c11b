//@ input in: int[n] = iota
//@ scratch out: int[1] = poison
//@ launch shared_counter(in, out) grid = 1, block = n
//@ page 64
//@ catch uninitialised

#include "twins.cuh"
__global__ void shared_counter(const int* in, int* out) {
    __shared__ int count;
    FIX(if (threadIdx.x == 0) count = 0;)
    __syncthreads();
    if (in[threadIdx.x] % 2) atomicAdd(&count, 1); //~ uninitialised
    __syncthreads();
    if (threadIdx.x == 0) *out = count;
}
