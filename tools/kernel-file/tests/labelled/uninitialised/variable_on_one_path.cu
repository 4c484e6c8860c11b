//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch variable_on_one_path(in, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
__global__ void variable_on_one_path(const int* in, int* out) {
    int t = threadIdx.x, v EITHER((= 0), ());
    if (in[t] % 2) v = in[t];
    out[t] = v; //~ uninitialised
}
