//! One warp makes, another takes: a flag, and a fence on both sides.
//@ scratch data: int[1] = poison
//@ scratch ready: int[1] = zero
//@ scratch out: int[1] = poison
//@ launch flag(data, ready, out) grid = 1, block = 64
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void flag(int* data, volatile int* ready, int* out) {
    if (threadIdx.x == 0) {
        *data = 42;
        FIX(__threadfence_block();)
        *ready = 1;
    } else if (threadIdx.x == 32) {
        while (*ready == 0) {}
        __threadfence_block();
        *out = *data; //~ race
    }
}
