//@ scratch data: int[n] = poison
//@ scratch out: int[n] = poison
//@ launch global_not_filled(data, out) grid = 1, block = n
//@ page 64
//@ catch uninitialised

#include "twins.cuh"
__global__ void global_not_filled(int* data, int* out) {
    int t = threadIdx.x;
    FIX(data[t] = t;)
    out[t] = data[t] + 1; //~ uninitialised
}
