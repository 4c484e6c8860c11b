//! A lock that nobody else takes excludes nobody.
//@ scratch sum: int[1] = zero
//@ scratch lock: int[8] = zero
//@ launch lock_for_every_block(sum, lock) grid = 8, block = 32
//@ page 1
//@ catch race

__global__ void lock_for_every_block(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock[blockIdx.x], 0, 1) != 0) {}
    __threadfence();
    sum[0] += blockIdx.x; //~ race
    __threadfence();
    atomicExch(&lock[blockIdx.x], 0);
}
