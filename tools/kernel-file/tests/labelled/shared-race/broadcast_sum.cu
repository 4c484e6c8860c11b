//! The place from which the sum is read is written again in the next round.
//@ input data: int[n] = iota
//@ launch broadcast_sum(data, n) grid = 1, block = 128
//@ test 128
//@ page 640
//@ catch race

#include "twins.cuh"
__global__ void broadcast_sum(int* data, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n; base += 128) {
        s[t] = data[base + t];
        __syncthreads();
        for (int half = 64; half > 0; half /= 2) {
            if (t < half) s[t] += s[t + half];
            __syncthreads();
        }
        data[base + t] -= s[0]; //~ race
        FIX(__syncthreads();)
    }
}
