//! A thread arrives at an mbarrier that another one has not made yet.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch unmade(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch mbarrier

#include "twins.cuh"
#include "async.cuh"
__global__ void unmade(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    __shared__ unsigned long long full, empty;
    int t = threadIdx.x;
    if (t == 0) INIT(&empty, 128); //~ mbarrier
    FIX(__syncthreads();)
    s[t] = in[t];
    ARRIVE(&empty); //~ mbarrier
    WAIT(&empty, 0); //~ mbarrier
    out[t] = s[127 - t];
    __syncthreads();
}
