//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch variable_of_a_loop(in, out, n) grid = 1, block = 32
//@ page 20
//@ catch uninitialised

#include "twins.cuh"
__global__ void variable_of_a_loop(const int* in, int* out, int n) {
    int last EITHER((= -1), ());
    for (int i = threadIdx.x; i < n; i += 32) last = in[i];
    if (threadIdx.x < n EITHER((), (+ 1 - 1))) out[threadIdx.x] = last;
    else if (last > 5) out[0] = 1; //~ uninitialised
}
