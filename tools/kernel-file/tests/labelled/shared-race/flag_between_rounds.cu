//! Bubble sort: whether anything was exchanged is asked after the barrier, and cleared after
//! another.
//@ input data: int[n] = iota
//@ launch flag_between_rounds(data, n) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void flag_between_rounds(int* data, int n) {
    __shared__ int s[256];
    __shared__ int changed;
    int t = threadIdx.x;
    s[t] = (data[t] * 37) % n;
    if (t == 0) changed = 1;
    __syncthreads();
    for (int round = 0; round < 4 && changed; round++) {
        __syncthreads();
        if (t == 0) changed = 0;
        FIX(__syncthreads();)
        if (t + 1 < n && t % 2 == round % 2 && s[t] > s[t + 1]) {
            int v = s[t];
            s[t] = s[t + 1];
            s[t + 1] = v;
            atomicOr(&changed, 1); //~ race
        }
        __syncthreads();
    }
    data[t] = s[t];
}
