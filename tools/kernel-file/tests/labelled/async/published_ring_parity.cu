//! One mbarrier for all stages is waited for with the parity of a ring of mbarriers.
//! The pattern of https://github.com/tile-ai/tilelang/pull/3087.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_ring_parity(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void published_ring_parity(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[2][64];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full, 1);
        INIT_FENCE();
    }
    __syncthreads();
    for (int i = 0; i < n / 64; i++) {
        if (t == 0) {
            EXPECT(&full, 256);
            LOAD(s[i % 2], in + i * 64, 256, &full); //~ async
        }
        WAIT(&full, EITHER((i % 2), (i / 2 % 2)));
        out[i * 64 + t] = s[i % 2][63 - t]; //~ async
        __syncthreads();
    }
}
