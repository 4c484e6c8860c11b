//@ input data: int[n] = iota
//@ launch behind_an_and(data, n) grid = 1, block = n
//@ page 64
//@ catch barrier

#include "twins.cuh"
__global__ void behind_an_and(int* data, int n) {
    int t = threadIdx.x;
    bool mine = t < n / 2;
    if (EITHER((__syncthreads_or(mine) && mine), (mine && __syncthreads_or(mine)))) data[t] = 0; //~ barrier
}
