//! Fences of the block's scope suffice where a lock is one block's own.
//@ scratch sum: int[n] = zero
//@ scratch lock: int[n] = zero
//@ launch lock_of_a_block(sum, lock) grid = n, block = 64
//@ page 2
//@ catch race

#include "twins.cuh"
__global__ void lock_of_a_block(volatile int* sum, int* lock) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS_block(&lock[blockIdx.x], 0, 1) != 0) {}
    EITHER((__threadfence_block();), (if (threadIdx.x == 32) __threadfence_block();))
    sum[blockIdx.x] = threadIdx.x; //~ race
    __threadfence_block();
    atomicExch_block(&lock[blockIdx.x], 0);
}
