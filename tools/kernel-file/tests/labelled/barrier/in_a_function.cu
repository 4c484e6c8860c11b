//@ input data: int[n] = iota
//@ launch in_a_function(data) grid = 1, block = 64
//@ page 64
//@ catch barrier

#include "twins.cuh"
__device__ void step(int* data) {
    data[threadIdx.x]++;
    __syncthreads(); //~ barrier
}
__global__ void in_a_function(int* data) {
    if (EITHER((gridDim.x == 1), (threadIdx.x % 2 == 0))) step(data);
}
