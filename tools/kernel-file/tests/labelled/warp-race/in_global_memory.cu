//@ input data: int[n] = iota
//@ launch in_global_memory(data) grid = n / 32, block = 32
//@ test 32
//@ page 128
//@ catch race

#include "twins.cuh"
__global__ void in_global_memory(int* data) {
    int i = blockIdx.x * 32 + threadIdx.x;
    int other = data[i ^ 3];
    FIX(__syncwarp();)
    data[i] = other; //~ race
}
