//@ input data: int[n] = iota
//@ scratch bins: int[16] = zero
//@ launch histogram_flush(data, bins, n) grid = 2, block = 128
//@ test 500
//@ page 1000
//@ catch race

#include "twins.cuh"
__global__ void histogram_flush(const int* data, int* bins, int n) {
    __shared__ int local[16];
    if (threadIdx.x < 16) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 256) atomicAdd(&local[data[i] % 16], 1); //~ race
    FIX(__syncthreads();)
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
