//! Not every volatile write raises a flag.
//@ scratch sum: int[1] = zero
//@ scratch lock: int[1] = zero
//@ launch volatile_under_a_lock(sum, lock) grid = 2, block = 1
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void volatile_under_a_lock(volatile int* sum, int* lock) {
    if (blockIdx.x == 0 EITHER((|| true), ())) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        sum[0] = blockIdx.x;
        __threadfence();
        atomicExch(lock, 0);
    } else {
        sum[0] = 7; //~ race
    }
}
