//@ scratch sum: int[n] = zero
//@ launch scope_of_the_block_in_its_own_place(sum) grid = n, block = 64
//@ page 4

__global__ void scope_of_the_block_in_its_own_place(int* sum) { atomicAdd_block(&sum[blockIdx.x], 1); }
