//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch output_read_first(in, out) grid = 1, block = n
//@ page 64
//@ catch uninitialised

#include "twins.cuh"
__global__ void output_read_first(const int* in, int* out) {
    int t = threadIdx.x;
    out[t] EITHER((=), (+=)) in[t]; //~ uninitialised
}
