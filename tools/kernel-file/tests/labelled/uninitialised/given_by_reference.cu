//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch given_by_reference(in, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
__device__ void largest(int& most, bool first, int v) {
    if (first || v > most) most = v; //~ uninitialised
}
__global__ void given_by_reference(const int* in, int* out) {
    int t = threadIdx.x, most;
    for (int k = 0; k < 4; k++) largest(most, EITHER((k == 0), (k == 0 && t != 7)), in[(t + k) % blockDim.x]);
    out[t] = most;
}
