//! One warp fills a buffer for another, which says that it may be filled again: after it has read it,
//! or too early.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch named_barrier_refill(in, out, n) grid = 1, block = 64
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void named_barrier_refill(const int* in, int* out, int n) {
    __shared__ int buffer[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x >= 32) asm volatile("bar.arrive 2, 64;" ::: "memory");
    for (int base = 0; base < n; base += 32) {
        bool more = base + 32 < n;
        if (threadIdx.x < 32) {
            asm volatile("bar.sync 2, 64;" ::: "memory");
            buffer[lane] = in[base + lane]; //~ race
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            EITHER((;), (if (more) asm volatile("bar.arrive 2, 64;" ::: "memory");))
            out[base + lane] = buffer[31 - lane]; //~ race
            FIX(if (more) asm volatile("bar.arrive 2, 64;" ::: "memory");)
        }
    }
}
