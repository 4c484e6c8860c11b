//! Two copies to one word, without a wait between them.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch two_copies(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void two_copies(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n; base += 128) {
        COPY(&s[t], in + t);
        FIX(WAIT_ALL();)
        COPY(&s[t], in + base + t); //~ async
        WAIT_ALL();
        out[base + t] = s[t];
    }
}
