//@ input in: int[n] = iota
//@ scratch out: int[n / 32] = poison
//@ launch warp_sum(in, out) grid = n / 128, block = 128
//@ test 128
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void warp_sum(const int* in, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x, lane = t % 32;
    s[t] = in[blockIdx.x * 128 + t];
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        int v = lane < half ? s[t + half] : 0; //~ race
        if (lane < half) s[t] += v;
        FIX(__syncwarp();)
    }
    if (lane == 0) out[(blockIdx.x * 128 + t) / 32] = s[t];
}
