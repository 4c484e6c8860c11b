//! The same through a variable, a multiplication and another element of the same array.
//@ scratch v: float[2] = zero
//@ scratch turn: int[1] = zero
//@ launch volatile_scaled_behind_a_fence(v, turn) grid = 4, block = 32
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void volatile_scaled_behind_a_fence(volatile float* v, volatile int* turn) {
    if (threadIdx.x != 0) return;
    FIX(while (*turn != blockIdx.x) {})
    __threadfence();
    float old = v[0]; //~ race
    v[0] = old * 1.5f + 2.0f; //~ race
    __threadfence();
    FIX(*turn = blockIdx.x + 1;)
}
