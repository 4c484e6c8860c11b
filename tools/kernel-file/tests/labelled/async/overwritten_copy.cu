//! A thread writes where a copy of its own may still write.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch overwritten_copy(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void overwritten_copy(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n; base += 128) {
        COPY(&s[t], in + base + t);
        COMMIT();
        FIX(WAIT_ALL();)
        s[t] = base + t; //~ async
        WAIT_ALL();
        out[base + t] = s[t];
    }
}
