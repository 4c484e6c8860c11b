//! What is in no group is not waited for.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch no_commit(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void no_commit(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n; base += 128) {
        COPY(&s[t], in + base + t);
        FIX(COMMIT();)
        WAIT_GROUP(0);
        __syncthreads();
        out[base + t] = s[127 - t]; //~ async
        __syncthreads();
    }
}
