//! What is read after the lock was let go of is another block's to write.
//@ scratch out: int[n] = poison
//@ scratch lock: int[1] = zero
//@ scratch count: int[1] = zero
//@ launch counted_under_a_lock(out, lock, count) grid = n, block = 32
//@ test 4
//@ page 8
//@ catch race

#include "twins.cuh"
__global__ void counted_under_a_lock(int* out, int* lock, int* count) {
    if (threadIdx.x > 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    int mine = ++count[0]; //~ race
    __threadfence();
    atomicExch(lock, 0);
    out[blockIdx.x] = EITHER((mine), (count[0]));
}
