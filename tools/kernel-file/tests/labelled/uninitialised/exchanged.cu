//! An exchange whose result nobody wants is a write.
//@ scratch flag: int[1] = poison
//@ scratch out: int[n] = poison
//@ launch exchanged(flag, out) grid = 1, block = n
//@ page 64
//@ catch uninitialised

#include "twins.cuh"
__global__ void exchanged(int* flag, int* out) {
    EITHER((atomicExch(flag, 1)), (out[threadIdx.x] = atomicExch(flag, 1))); //~ uninitialised
}
