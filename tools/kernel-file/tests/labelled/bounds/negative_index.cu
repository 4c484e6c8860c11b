//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch negative_index(in, out, n) grid = 1, block = n
//@ page 64
//@ catch bounds

#include "twins.cuh"
__global__ void negative_index(const int* in, int* out, int n) {
    int t = threadIdx.x;
    int from = t - 3;
    FIX(if (from < 0) from = 0;)
    out[t] = in[from]; //~ bounds
}
