//! All lanes of a warp write, and one arrives for them, without a __syncwarp.
//! The pattern of https://github.com/NVIDIA/cudnn-frontend/pull/426.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_elected_arrival(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512
//@ catch race

#include "twins.cuh"
#include "async.cuh"
__global__ void published_elected_arrival(const int* in, int* out, int n) {
    __shared__ int s[32];
    __shared__ unsigned long long full, empty;
    int t = threadIdx.x, lane = t % 32;
    if (t == 0) {
        INIT(&full, 1);
        INIT(&empty, 32);
    }
    __syncthreads();
    for (int i = 0; i < n / 32; i++) {
        if (t < 32) {
            if (i > 0) WAIT(&empty, (i - 1) % 2);
            s[lane] = in[i * 32 + lane]; //~ race
            FIX(__syncwarp();)
            if (lane == 0) ARRIVE(&full);
        } else {
            WAIT(&full, i % 2);
            out[i * 32 + lane] = s[31 - lane]; //~ race
            ARRIVE(&empty);
        }
    }
}
