//@ scratch sum: int[1] = zero
//@ launch scope_of_the_block(sum) grid = 4, block = 64
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void scope_of_the_block(int* sum) { EITHER((atomicAdd), (atomicAdd_block))(sum, 1); } //~ race
