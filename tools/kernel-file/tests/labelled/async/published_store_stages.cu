//! Each stage is stored in two groups, and the wait before its reuse leaves groups of it in flight.
//! The pattern of https://github.com/deepseek-ai/DeepEP/pull/660.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_store_stages(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void published_store_stages(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[2][64];
    __shared__ unsigned long long full[2];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full[0], 1);
        INIT(&full[1], 1);
        INIT_FENCE();
        for (int i = 0; i < n / 64; i++) {
            BULK_WAIT_READ(EITHER((0), (3)));
            EXPECT(&full[i % 2], 256);
            LOAD(s[i % 2], in + i * 64, 256, &full[i % 2]); //~ async
            WAIT(&full[i % 2], i / 2 % 2);
            STORE(out + i * 64, s[i % 2], 128);
            BULK_COMMIT();
            STORE(out + i * 64 + 32, s[i % 2] + 32, 128); //~ async
            BULK_COMMIT();
        }
        BULK_WAIT(0);
    }
}
