//@ scratch sum: int[1] = zero
//@ launch scope_of_one_side(sum) grid = 4, block = 64
//@ page 1
//@ catch race

__global__ void scope_of_one_side(int* sum) {
    if (blockIdx.x == 0) atomicAdd_block(sum, 1);
    else atomicAdd(sum, 1); //~ race
}
