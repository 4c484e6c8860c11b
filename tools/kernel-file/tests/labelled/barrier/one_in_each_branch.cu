//@ input data: int[n] = iota
//@ launch one_in_each_branch(data) grid = 1, block = n
//@ page 64
//@ catch barrier

#include "twins.cuh"
__global__ void one_in_each_branch(int* data) {
    int t = threadIdx.x;
    if (t < 32) {
        data[t] = 1;
        EITHER((), (__syncthreads();)) //~ barrier
    } else {
        data[t] = 2;
        EITHER((), (__syncthreads();))
    }
    FIX(__syncthreads();)
    data[t] += 1;
}
