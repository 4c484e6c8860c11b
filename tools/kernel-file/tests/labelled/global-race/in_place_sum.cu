//@ input data: int[n] = iota
//@ launch in_place_sum(data, n) grid = 1, block = n / 2
//@ test 128
//@ page 512
//@ catch race

#include "twins.cuh"
__global__ void in_place_sum(int* data, int n) {
    int t = threadIdx.x;
    for (int half = n / 2; half > 0; half /= 2) {
        if (t < half) data[t] += data[t + half]; //~ race
        FIX(__syncthreads();)
    }
}
