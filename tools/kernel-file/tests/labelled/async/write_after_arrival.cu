//! A write after the arrival is not ordered by it.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch write_after_arrival(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch race

#include "twins.cuh"
#include "async.cuh"
__global__ void write_after_arrival(const int* in, int* out, int n) {
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
        EITHER((s[t] = in[base + t]; ARRIVE(&empty);), (ARRIVE(&empty); s[t] = in[base + t];)) //~ race
        WAIT(&empty, base / 128 % 2);
        out[base + t] = s[127 - t]; //~ race
        __syncthreads();
    }
}
