//! All threads write, and one has the words copied out: without a proxy fence.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch store_fence(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void store_fence(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n; base += 128) {
        s[t] = in[base + 127 - t]; //~ async
        FIX(PROXY_FENCE();)
        __syncthreads();
        if (t == 0) {
            STORE(out + base, s, 512);
            BULK_COMMIT();
            BULK_WAIT_READ(0);
        }
        __syncthreads();
    }
}
