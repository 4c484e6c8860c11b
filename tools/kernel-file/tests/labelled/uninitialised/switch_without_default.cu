//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch switch_without_default(in, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
__global__ void switch_without_default(const int* in, int* out) {
    int v;
    switch (in[threadIdx.x] % 3) {
        case 0: v = 10; break;
        case 1: v = 20; break;
        FIX(default: v = 30;)
    }
    out[threadIdx.x] = v; //~ uninitialised
}
