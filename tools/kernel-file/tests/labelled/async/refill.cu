//! The next copy begins while other threads still read.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch refill(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void refill(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n; base += 128) {
        COPY(&s[t], in + base + t);
        WAIT_ALL();
        __syncthreads();
        out[base + t] = s[127 - t]; //~ async
        FIX(__syncthreads();)
    }
    s[t] = 0;
    __syncthreads();
    out[t] = s[127 - t]; //~ async
    FIX(__syncthreads();)
    COPY(&s[t], in + t);
    WAIT_ALL();
}
