//@ input data: int[n] = iota
//@ launch exchange(data) grid = 1, block = 32
//@ page 32
//@ catch race

#include "twins.cuh"
__global__ void exchange(int* data) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = data[t];
    FIX(__syncwarp();)
    data[t] = s[t ^ 1]; //~ race
}
