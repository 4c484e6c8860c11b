//@ input data: int[n] = iota
//@ launch syncwarp_of_others(data) grid = 1, block = 32
//@ page 32
//@ catch sync-mask

#include "twins.cuh"
__global__ void syncwarp_of_others(int* data) {
    int t = threadIdx.x;
    if (t % 2) {
        data[t] = 1;
        __syncwarp(EITHER((0xaaaaaaaau), (0x55555555u))); //~ sync-mask
    }
}
