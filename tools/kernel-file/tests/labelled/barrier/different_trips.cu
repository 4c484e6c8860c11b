//@ input data: int[n] = iota
//@ launch different_trips(data) grid = 1, block = 64
//@ page 64
//@ catch barrier

#include "twins.cuh"
__global__ void different_trips(int* data) {
    int t = threadIdx.x;
    for (int i = 0; i < EITHER((4), (1 + t / 32)); i++) {
        data[t] += i;
        __syncthreads(); //~ barrier
    }
}
