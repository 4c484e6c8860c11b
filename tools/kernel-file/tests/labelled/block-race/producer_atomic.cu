//@ scratch data: int[1] = poison
//@ scratch ready: int[1] = zero
//@ scratch out: int[1] = poison
//@ launch producer_atomic(data, ready, out) grid = 2, block = 32
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void producer_atomic(int* data, int* ready, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        FIX(__threadfence();)
        atomicExch(ready, 1);
    } else {
        while (atomicAdd(ready, 0) == 0) {}
        __threadfence();
        *out = *data; //~ race
    }
}
