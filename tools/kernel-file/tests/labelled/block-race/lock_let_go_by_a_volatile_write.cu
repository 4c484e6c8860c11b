//@ scratch sum: int[1] = zero
//@ scratch lock: int[1] = zero
//@ launch lock_let_go_by_a_volatile_write(sum, lock) grid = 8, block = 32
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void lock_let_go_by_a_volatile_write(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {} //~ race
    FIX(__threadfence();)
    sum[0] += blockIdx.x;
    FIX(__threadfence();)
    *(volatile int*)lock = 0;
}
