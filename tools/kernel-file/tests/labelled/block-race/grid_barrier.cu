//! A barrier of the whole grid, by hand.
//@ input a: int[n] = iota
//@ scratch b: int[n] = poison
//@ scratch c: int[n] = poison
//@ scratch arrived: unsigned[1] = zero
//@ launch grid_barrier(a, b, c, arrived, n) grid = n / 64, block = 64
//@ test 128
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void grid_barrier(const int* a, int* b, int* c, volatile unsigned* arrived, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    b[i] = 2 * a[i]; //~ race
    FIX(__threadfence(); __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((unsigned*)arrived, 1);
        while (*arrived < gridDim.x) {}
        __threadfence();
    }
    __syncthreads();)
    c[i] = b[n - 1 - i];
}
