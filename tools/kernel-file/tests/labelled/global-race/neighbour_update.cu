//@ input data: int[n] = iota
//@ launch neighbour_update(data, n) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void neighbour_update(int* data, int n) {
    int t = threadIdx.x;
    int right = data[(t + 1) % n]; //~ race
    FIX(__syncthreads();)
    data[t] += right;
}
