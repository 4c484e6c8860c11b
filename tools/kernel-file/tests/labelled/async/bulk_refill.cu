//! The buffer is filled again before its readers have arrived.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch bulk_refill(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void bulk_refill(const int* in, int* out, int n) {
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
            EXPECT(&full, 512);
            LOAD(s, in + base, 512, &full); //~ async
        }
        WAIT(&full, base / 128 % 2);
        out[base + t] = s[127 - t]; //~ async
        ARRIVE(&empty);
        if (t == 0) { EITHER((WAIT(&empty, base / 128 % 2);), (;)) }
    }
    if (t == 0) {
        EITHER((;), (LOAD(s, in, 512, &full);)) //~ async
    }
}
