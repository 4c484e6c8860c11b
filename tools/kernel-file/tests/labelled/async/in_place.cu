//! A tile is changed in place between two bulk copies.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch in_place(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void in_place(const int* in, int* out, int n) {
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
            LOAD(s, in + base, 512, &full);
        }
        WAIT(&full, base / 128 % 2);
        s[t] = -s[t]; //~ async
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
