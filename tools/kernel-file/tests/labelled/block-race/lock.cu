//@ scratch sum: int[1] = zero
//@ scratch lock: int[1] = zero
//@ launch lock(sum, lock) grid = 8, block = 32
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void lock(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    sum[0] += blockIdx.x; //~ race
    FIX(__threadfence();)
    atomicExch(lock, 0);
}
