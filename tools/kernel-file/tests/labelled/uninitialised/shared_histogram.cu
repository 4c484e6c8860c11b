//! Fewer places are cleared than there are.
//@ input in: int[n] = iota
//@ scratch bins: int[32] = zero
//@ launch shared_histogram(in, bins, n) grid = 1, block = 64
//@ page 200
//@ catch uninitialised

#include "twins.cuh"
__global__ void shared_histogram(const int* in, int* bins, int n) {
    __shared__ int local[32];
    if (threadIdx.x < EITHER((32), (16))) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) atomicAdd(&local[in[i] % 32], 1); //~ uninitialised
    __syncthreads();
    if (threadIdx.x < 32) bins[threadIdx.x] = local[threadIdx.x];
}
