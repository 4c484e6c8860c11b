//! The last round is not for all.
//@ input data: int[n] = iota
//@ launch in_a_loop(data, n) grid = 1, block = 64
//@ test 64
//@ page 100
//@ catch barrier

#include "twins.cuh"
__global__ void in_a_loop(int* data, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int base = 0; EITHER((base), (base + t)) < n; base += 64) {
        s[t] = base + t < n ? data[base + t] : 0;
        __syncthreads(); //~ barrier
        if (base + t < n) data[base + t] = s[t ^ 1];
        __syncthreads();
    }
}
