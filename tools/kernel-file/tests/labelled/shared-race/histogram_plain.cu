//@ input data: int[n] = iota
//@ scratch bins: int[16] = zero
//@ launch histogram_plain(data, bins, n) grid = 1, block = 128
//@ test 500
//@ page 1000
//@ catch race

#include "twins.cuh"
__global__ void histogram_plain(const int* data, int* bins, int n) {
    __shared__ int local[16];
    if (threadIdx.x < 16) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 128) {
        EITHER((atomicAdd(&local[data[i] % 16], 1)), (local[data[i] % 16]++)); //~ race
    }
    __syncthreads();
    if (threadIdx.x < 16) bins[threadIdx.x] = local[threadIdx.x];
}
