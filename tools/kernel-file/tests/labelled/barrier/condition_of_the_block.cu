//@ input data: int[n] = iota
//@ launch condition_of_the_block(data) grid = n / 32, block = 32
//@ page 64
//@ catch barrier

#include "twins.cuh"
__global__ void condition_of_the_block(int* data) {
    if (EITHER((blockIdx.x), (threadIdx.x)) == 0) __syncthreads(); //~ barrier
    data[blockIdx.x * 32 + threadIdx.x] = 1;
}
