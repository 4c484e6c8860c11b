//@ input data: int[n] = iota
//@ launch reverse_in_place(data) grid = n / 64, block = 64
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void reverse_in_place(int* data) {
    extern __shared__ int unused[];
    __shared__ int s[64];
    int t = threadIdx.x, *mine = data + blockIdx.x * 64;
    s[t] = mine[t];
    __syncthreads();
    int other = s[63 - t]; //~ race
    FIX(__syncthreads();)
    s[t] = other;
    mine[t] = s[t];
}
