//@ scratch sum: int[1] = zero
//@ scratch lock: int[1] = zero
//@ launch lock_taken_without_a_fence(sum, lock) grid = 8, block = 32
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void lock_taken_without_a_fence(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    EITHER((__threadfence();), (__threadfence_block();))
    sum[0] += blockIdx.x; //~ race
    __threadfence();
    atomicExch(lock, 0);
}
