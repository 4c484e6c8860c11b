//! What is read to be used may be old, volatile or not, where no fence stands before the flag.
//@ scratch data: int[1] = zero
//@ scratch ready: int[1] = zero
//@ scratch out: int[1] = poison
//@ launch told_by_volatile(data, ready, out) grid = 2, block = 1
//@ page 1
//@ catch race

#include "twins.cuh"
__global__ void told_by_volatile(volatile int* data, volatile int* ready, int* out) {
    if (blockIdx.x == 0) {
        data[0] = 7;
        FIX(__threadfence();)
        ready[0] = 1;
    } else {
        while (ready[0] == 0) {}
        FIX(__threadfence();)
        out[0] = data[0]; //~ race
    }
}
