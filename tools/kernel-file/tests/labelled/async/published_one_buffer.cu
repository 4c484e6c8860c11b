//! A product is left in flight, and its tile has one buffer only.
//! The pattern of https://github.com/triton-lang/triton/pull/3106.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_one_buffer(in, out, n) grid = 1, block = 128
//@ test 2048
//@ page 2048
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void published_one_buffer(const int* in, int* out, int n) {
    const int stages = EITHER((2), (1));
    __shared__ __align__(128) int s[stages][512];
    int t = threadIdx.x, d[4] = {0, 0, 0, 0};
    for (int r = 0; r < n / 512; r++) {
        for (int i = t; i < 512; i += 128) s[r % stages][i] = in[r * 512 + i]; //~ async
        PROXY_FENCE();
        __syncthreads();
        MULTIPLY_FENCE();
        MULTIPLY(d, s[r % stages]);
        MULTIPLY_COMMIT();
        MULTIPLY_WAIT(1);
    }
    MULTIPLY_WAIT(0);
    for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i];
}
