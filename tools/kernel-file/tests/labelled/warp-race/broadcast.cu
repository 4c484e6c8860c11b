//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch broadcast(in, out) grid = 1, block = n
//@ test 32
//@ page 128
//@ catch race

#include "twins.cuh"
__global__ void broadcast(const int* in, int* out) {
    __shared__ int first[4];
    int t = threadIdx.x;
    if (t % 32 == 0) first[t / 32] = in[t];
    FIX(__syncwarp();)
    out[t] = first[t / 32]; //~ race
}
