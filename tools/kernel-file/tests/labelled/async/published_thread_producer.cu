//! A part of a stage is written by threads; the consumer reads it before it waits for the stage.
//! The pattern of https://github.com/tile-ai/tilelang/pull/2166.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_thread_producer(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512
//@ catch race

#include "twins.cuh"
#include "async.cuh"
__global__ void published_thread_producer(const int* in, int* out, int n) {
    __shared__ __align__(128) int a[32];
    __shared__ __align__(128) int b[32];
    __shared__ unsigned long long full, empty;
    int t = threadIdx.x, lane = t % 32;
    if (t == 0) {
        INIT(&full, 33);
        INIT(&empty, 32);
        INIT_FENCE();
    }
    __syncthreads();
    for (int i = 0; i < n / 32; i++) {
        if (t < 32) {
            WAIT(&empty, (i + 1) % 2);
            if (lane == 0) {
                EXPECT(&full, 128);
                LOAD(b, in + i * 32, 128, &full);
            }
            a[lane] = i; //~ race
            ARRIVE(&full);
        } else {
            FIX(WAIT(&full, i % 2);)
            int sum = a[31 - lane]; //~ race
            EITHER((), (WAIT(&full, i % 2);))
            out[i * 32 + lane] = sum + b[31 - lane];
            ARRIVE(&empty);
        }
    }
}
