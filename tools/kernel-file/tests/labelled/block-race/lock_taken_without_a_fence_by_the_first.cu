//! Whoever comes first: the other is not told of what the careless one did.
//@ scratch sum: int[1] = zero
//@ scratch lock: int[1] = zero
//@ launch lock_taken_without_a_fence_by_the_first(sum, lock) grid = 2, block = 1
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void lock_taken_without_a_fence_by_the_first(volatile int* sum, int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    if (blockIdx.x == EITHER((2), (0))) sum[0] = 1;
    __threadfence();
    if (blockIdx.x != EITHER((2), (0))) sum[0] = 2; //~ race
    __threadfence();
    atomicExch(lock, 0);
}
