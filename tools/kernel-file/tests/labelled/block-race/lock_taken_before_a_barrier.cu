//! One thread takes the lock for its block; the barriers pass on what it knows.
//@ scratch sum: int[64] = zero
//@ scratch lock: int[1] = zero
//@ launch lock_taken_before_a_barrier(sum, lock) grid = 4, block = 64
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void lock_taken_before_a_barrier(int* sum, int* lock) {
    if (threadIdx.x == 0) while (atomicCAS(lock, 0, 1) != 0) {}
    __syncthreads();
    sum[threadIdx.x] += blockIdx.x; //~ race
    FIX(__threadfence();)
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(lock, 0);
}
