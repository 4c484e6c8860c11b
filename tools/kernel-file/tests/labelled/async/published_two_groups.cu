//! Two warp groups multiply one tile, each waits for its own products, and the tile is filled again.
//! The pattern of https://github.com/tile-ai/tilelang/issues/2613.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_two_groups(in, out, n) grid = 1, block = 256
//@ test 1536
//@ page 1536
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void published_two_groups(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[512];
    int t = threadIdx.x;
    for (int base = 0; base < n; base += 512) {
        for (int i = t; i < 512; i += 256) s[i] = in[base + i]; //~ async
        PROXY_FENCE();
        __syncthreads();
        int d[4];
        PRODUCT(d, s);
        PRODUCT_WAIT();
        if (t < 128)
            for (int i = 0; i < 4; i++) out[base + t * 4 + i] = d[i];
        FIX(__syncthreads();)
    }
}
