//! Who comes last turns the flag for which the others wait.
//@ input a: int[n] = iota
//@ scratch b: int[n] = poison
//@ scratch c: int[n] = poison
//@ scratch arrived: int[1] = zero
//@ scratch turn: int[1] = zero
//@ launch barrier_that_turns(a, b, c, arrived, turn, n) grid = n / 64, block = 64
//@ test 128
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void barrier_that_turns(const int* a, int* b, int* c, int* arrived, volatile int* turn, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    b[i] = 2 * a[i];
    FIX(__threadfence();)
    __syncthreads();
    if (threadIdx.x == 0) {
        bool last = atomicAdd(arrived, 1) == gridDim.x - 1;
        FIX(__threadfence();)
        if (last) *turn = 1;
        else while (*turn == 0) {}
        FIX(__threadfence();)
    }
    __syncthreads();
    c[i] = b[n - 1 - i]; //~ race
}
