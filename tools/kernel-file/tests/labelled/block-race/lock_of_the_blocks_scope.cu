//@ scratch sum: int[1] = zero
//@ scratch lock: int[1] = zero
//@ launch lock_of_the_blocks_scope(sum, lock) grid = 8, block = 32
//@ page 1
//@ catch race

__global__ void lock_of_the_blocks_scope(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS_block(lock, 0, 1) != 0) {} //~ race
    __threadfence();
    sum[0] += blockIdx.x;
    __threadfence();
    atomicExch_block(lock, 0);
}
