//@ input data: int[n] = iota
//@ launch in_a_branch(data) grid = 1, block = n
//@ test 64
//@ page 128
//@ catch barrier

#include "twins.cuh"
__global__ void in_a_branch(int* data) {
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t < 40) {
        s[t] = data[t];
        EITHER((), (__syncthreads();)) //~ barrier
    }
    EITHER((__syncthreads();), ())
    if (t < 20) data[t] = s[t + 20];
}
