//! The copies arrive at an mbarrier, and nobody waits there.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch copies_arrive(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void copies_arrive(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    __shared__ unsigned long long full, empty;
    int t = threadIdx.x;
    if (t == 0) INIT(&full, 128);
    __syncthreads();
    for (int base = 0; base < n; base += 128) {
        COPY(&s[t], in + base + t);
        COPY_ARRIVE(&full);
        EITHER((WAIT(&full, base / 128 % 2);), (__syncthreads();))
        out[base + t] = s[127 - t]; //~ async
        __syncthreads();
    }
    WAIT_ALL();
}
