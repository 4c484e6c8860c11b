//@ input in: int[n] = iota
//@ scratch list: int[n] = poison
//@ scratch count: int[1] = zero
//@ scratch out: int[n] = zero
//@ launch worklist_consumed(in, list, count, out) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void worklist_consumed(const int* in, int* list, int* count, int* out) {
    int t = threadIdx.x;
    if (in[t] % 3 == 0) list[atomicAdd(count, 1)] = in[t]; //~ race
    FIX(__syncthreads();)
    if (t < *count) out[t] = list[t];
}
