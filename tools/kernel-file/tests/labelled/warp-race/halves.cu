//! Halves of a warp meet by themselves, and may exchange within themselves only.
//@ input data: int[n] = iota
//@ launch halves(data) grid = 1, block = 32
//@ page 32
//@ catch race

#include "twins.cuh"
__global__ void halves(int* data) {
    __shared__ int s[32];
    int t = threadIdx.x;
    unsigned mask = t < 16 ? 0xffffu : 0xffff0000u;
    s[t] = data[t];
    __syncwarp(mask);
    data[t] = s[t ^ EITHER((8), (16))]; //~ race
}
