//@ input data: int[n] = iota
//@ launch half_a_warp(data) grid = 1, block = 32
//@ page 32
//@ catch barrier

#include "twins.cuh"
__global__ void half_a_warp(int* data) {
    if (threadIdx.x < 16) {
        data[threadIdx.x]++;
        EITHER((), (__syncthreads();)) //~ barrier
    }
    FIX(__syncthreads();)
}
