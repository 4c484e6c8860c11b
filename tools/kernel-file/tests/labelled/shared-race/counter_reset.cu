//! A worklist in shared memory: the counter is set by one thread.
//@ input data: int[n] = iota
//@ scratch out: int[n / 64] = poison
//@ launch counter_reset(data, out, n) grid = n / 64, block = 64
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void counter_reset(const int* data, int* out, int n) {
    __shared__ int count;
    __shared__ int list[64];
    if (threadIdx.x == 0) count = 0;
    FIX(__syncthreads();)
    int v = data[blockIdx.x * 64 + threadIdx.x];
    if (v % 3 == 0) list[atomicAdd(&count, 1)] = v; //~ race
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}
