//! The barrier comes before the wait: it says nothing about the copies of other threads.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch wait_after_barrier(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void wait_after_barrier(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n; base += 128) {
        COPY(&s[t], in + base + t);
        COMMIT();
        EITHER((WAIT_GROUP(0); __syncthreads();), (__syncthreads(); WAIT_GROUP(0);))
        out[base + t] = s[127 - t]; //~ async
        __syncthreads();
    }
}
