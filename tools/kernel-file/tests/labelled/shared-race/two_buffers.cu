//! A scan with two buffers needs one barrier a round; with one buffer that is not enough.
//@ input data: int[n] = iota
//@ launch two_buffers(data, n) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void two_buffers(int* data, int n) {
    __shared__ int s[2][256];
    int t = threadIdx.x, from = 0;
    s[0][t] = data[t];
    __syncthreads();
    for (int step = 1; step < n; step *= 2) {
        int to = EITHER((1 - from), (from));
        s[to][t] = s[from][t] + (t >= step ? s[from][t - step] : 0); //~ race
        from = to;
        __syncthreads();
    }
    data[t] = s[from][t];
}
