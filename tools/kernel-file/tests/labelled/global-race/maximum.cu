//! Asking before writing does not make it one step.
//@ input in: int[n] = iota
//@ scratch best: int[1] = zero
//@ launch maximum(in, best) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void maximum(const int* in, int* best) {
    int v = (in[threadIdx.x] * 7) % 100;
    EITHER((atomicMax(best, v)), (if (v > *best) *best = v)); //~ race
}
