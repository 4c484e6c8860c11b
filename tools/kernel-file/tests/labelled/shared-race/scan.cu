//@ input data: int[n] = iota
//@ launch scan(data, n) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void scan(int* data, int n) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int step = 1; step < n; step *= 2) {
        int left = t >= step ? s[t - step] : 0; //~ race
        FIX(__syncthreads();)
        s[t] += left;
        __syncthreads();
    }
    data[t] = s[t];
}
