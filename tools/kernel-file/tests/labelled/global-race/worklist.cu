//@ input in: int[n] = iota
//@ scratch list: int[n] = poison
//@ scratch count: int[1] = zero
//@ launch worklist(in, list, count) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void worklist(const int* in, int* list, int* count) {
    int v = in[threadIdx.x];
    if (v % 3 == 0) {
        int at = EITHER((atomicAdd(count, 1)), ((*count)++)); //~ race
        list[at] = v;
    }
}
