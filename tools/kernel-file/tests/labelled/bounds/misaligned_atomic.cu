//@ scratch bytes: char[n] = zero
//@ launch misaligned_atomic(bytes) grid = 1, block = 32
//@ page 64
//@ catch bounds

#include "twins.cuh"
__global__ void misaligned_atomic(char* bytes) { atomicAdd((int*)(bytes + EITHER((4), (3))), 1); } //~ bounds
