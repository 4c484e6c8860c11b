//! The reader waits for one half of those who count.
//@ scratch out: int[1] = poison
//@ launch half_of_them_counted(out) grid = 1, block = 32
//@ page 32
//@ catch race

#include "twins.cuh"
__global__ void half_of_them_counted(int* out) {
    __shared__ int s;
    int t = threadIdx.x;
    if (t == 0) s = 0;
    __syncthreads();
    FIX(if (t < 16)) atomicAdd(&s, 1);
    if (t < 16) {
        __syncwarp(0xffff);
        if (t == 3) out[0] = s; //~ race
    }
}
