//! The programming guide's loop: what the first read finds counts only if the swap finds it, too.
//@ input a: int[n] = iota
//@ scratch out: int[1] = zero
//@ launch by_swapping(a, out) grid = n / 64, block = 64
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void by_swapping(const int* a, int* out) {
    int old = out[0], assumed; //~ race
    do {
        assumed = old;
        old = EITHER((atomicCAS(out, assumed, assumed + a[threadIdx.x])), (out[0] = assumed + 1));
    } while (assumed != old);
}
