//! Lanes that leave do not wait.
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch before_a_return(in, out) grid = 1, block = 32
//@ page 32
//@ catch race

#include "twins.cuh"
__global__ void before_a_return(const int* in, int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    FIX(__syncwarp();)
    if (t >= 16) return;
    out[t] = s[t] + s[t + 16]; //~ race
}
