//! Fewer bytes are announced than come.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch few_bytes(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch deadlock

#include "twins.cuh"
#include "async.cuh"
__global__ void few_bytes(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    __shared__ unsigned long long full, empty;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full, 1);
        INIT(&empty, 128);
        INIT_FENCE();
    }
    __syncthreads();
    for (int base = 0; base < n; base += 128) {
        if (t == 0) {
            EXPECT(&full, EITHER((512), (256)));
            LOAD(s, in + base, 512, &full);
        }
        WAIT(&full, base / 128 % 2); //~ deadlock
        out[base + t] = s[127 - t];
        __syncthreads();
    }
}
