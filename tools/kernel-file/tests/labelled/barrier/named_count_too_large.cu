//! A named barrier that counts more threads than come to it.
//@ input data: int[n] = iota
//@ launch named_count_too_large(data) grid = 1, block = 96
//@ page 96
//@ catch barrier

#include "twins.cuh"
__global__ void named_count_too_large(int* data) {
    int t = threadIdx.x;
    data[t] += 1;
    if (t < 64) {
        asm volatile("bar.sync 1, %0;" ::"n"(EITHER((64), (96))) : "memory"); //~ barrier
        data[t] += 1;
    }
}
