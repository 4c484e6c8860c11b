//! A named barrier orders the writes of the threads, and no proxy fence makes them known to the copy.
//! The pattern of https://github.com/NVIDIA/cudnn-frontend/pull/784.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_named_barrier(in, out, n) grid = 1, block = 160
//@ test 512
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void published_named_barrier(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    int t = threadIdx.x;
    if (t >= 128) return;
    for (int base = 0; base < n; base += 128) {
        s[t] = in[base + 127 - t]; //~ async
        FIX(PROXY_FENCE();)
        BAR_SYNC(1, 128);
        if (t == 0) {
            STORE(out + base, s, 512); //~ async
            BULK_COMMIT();
            BULK_WAIT_READ(0);
        }
        BAR_SYNC(1, 128);
    }
}
