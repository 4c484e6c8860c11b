//! What was read must not be overwritten in the next round.
//@ input in: int[n] = iota
//@ scratch out: int[n] = zero
//@ launch broadcast_again(in, out) grid = 1, block = 32
//@ page 128
//@ catch race

#include "twins.cuh"
__global__ void broadcast_again(const int* in, int* out) {
    __shared__ int first;
    int t = threadIdx.x;
    for (int round = 0; round < 4; round++) {
        if (t == 0) first = in[round * 32]; //~ race
        __syncwarp();
        out[round * 32 + t] = first;
        FIX(__syncwarp();)
    }
}
