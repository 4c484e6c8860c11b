//! The mbarrier is made without a fence for the copy engine.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch init_fence(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void init_fence(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    __shared__ unsigned long long full, empty;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full, 1); //~ async
        FIX(INIT_FENCE();)
    }
    __syncthreads();
    for (int base = 0; base < n; base += 128) {
        if (t == 0) {
            EXPECT(&full, 512);
            LOAD(s, in + base, 512, &full);
        }
        WAIT(&full, base / 128 % 2);
        out[base + t] = s[127 - t];
        __syncthreads();
    }
}
