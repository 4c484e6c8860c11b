//@ input in: int[n] = iota
//@ scratch out: int[1] = poison
//@ launch warp_sum_one_sync(in, out) grid = 1, block = 32
//@ page 32
//@ catch race

#include "twins.cuh"
__global__ void warp_sum_one_sync(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = 0;
    for (int half = 16; half > 0; half /= 2) {
        FIX(__syncwarp();)
        if (t < half) s[t] += s[t + half]; //~ race
    }
    if (t == 0) *out = s[0];
}
