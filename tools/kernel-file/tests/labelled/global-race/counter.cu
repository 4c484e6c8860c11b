//@ input in: int[n] = iota
//@ scratch count: int[1] = zero
//@ launch counter(in, count) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void counter(const int* in, int* count) {
    if (in[threadIdx.x] % 2 == 0) EITHER((atomicAdd(count, 1)), (count[0] += 1)); //~ race
}
