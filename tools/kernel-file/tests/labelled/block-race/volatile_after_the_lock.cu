//@ scratch sum: int[1] = zero
//@ scratch out: int[2] = poison
//@ scratch lock: int[1] = zero
//@ launch volatile_after_the_lock(sum, out, lock) grid = 2, block = 1
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void volatile_after_the_lock(volatile int* sum, int* out, int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    out[blockIdx.x] = sum[0]; //~ race
    FIX(if (blockIdx.x == 0) sum[0] = 1;)
    __threadfence();
    atomicExch(lock, 0);
    EITHER((), (if (blockIdx.x == 0) sum[0] = 1;))
}
