//@ scratch data: int[n] = poison
//@ scratch out: int[n] = poison
//@ launch second_half(data, out, n) grid = 1, block = n
//@ page 64
//@ catch uninitialised

#include "twins.cuh"
__global__ void second_half(int* data, int* out, int n) {
    int t = threadIdx.x;
    if (t < EITHER((n), (n / 2))) data[t] = t;
    __syncthreads();
    out[t] = data[n - 1 - t]; //~ uninitialised
}
