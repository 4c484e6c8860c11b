//! A proxy fence makes the mbarrier known, too; one before mbarrier.init does not.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch init_proxy_fence(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void init_proxy_fence(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    __shared__ unsigned long long full, empty;
    int t = threadIdx.x;
    if (t == 0) {
        EITHER((INIT(&full, 1); PROXY_FENCE();), (PROXY_FENCE(); INIT(&full, 1);)) //~ async
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
