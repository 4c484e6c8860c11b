//@ input in: int[n] = iota
//@ scratch sum: int[1] = zero
//@ scratch out: int[n] = poison
//@ launch result_read_too_early(in, sum, out) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void result_read_too_early(const int* in, int* sum, int* out) {
    int t = threadIdx.x;
    atomicAdd(sum, in[t]); //~ race
    FIX(__syncthreads();)
    out[t] = in[t] * sum[0];
}
