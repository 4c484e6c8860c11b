//@ input data: int[n] = iota
//@ launch left_by_break(data, n) grid = 1, block = 64
//@ page 64
//@ catch barrier

#include "twins.cuh"
__global__ void left_by_break(int* data, int n) {
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        if (EITHER((i == 2), (data[t] == i))) break;
        __syncthreads(); //~ barrier
        data[t] += 1;
    }
}
