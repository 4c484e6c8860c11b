//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch local_by_index(in, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
__global__ void local_by_index(const int* in, int* out) {
    int bins[8] EITHER((= {}), ());
    int t = threadIdx.x;
    bins[in[t] % 8] = t;
    out[t] = bins[in[t] % 7]; //~ uninitialised
}
