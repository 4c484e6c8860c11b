//@ input data: int[n] = iota
//@ launch one_warp_short(data, n) grid = 1, block = n
//@ page 96
//@ catch barrier

#include "twins.cuh"
__global__ void one_warp_short(int* data, int n) {
    int warp = threadIdx.x / 32;
    EITHER((), (if (warp == 2) return;))
    if (warp < 2) data[threadIdx.x] = 1;
    __syncthreads(); //~ barrier
    if (warp == 0) data[threadIdx.x] += data[threadIdx.x + 32];
}
