//! Each warp leaves its sum; the first warp adds them up.
//@ input in: int[n] = iota
//@ scratch out: int[n / 256] = poison
//@ launch warp_sums(in, out) grid = n / 256, block = 256
//@ test 256
//@ page 512
//@ catch race

#include "twins.cuh"
__global__ void warp_sums(const int* in, int* out) {
    __shared__ int sums[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = in[blockIdx.x * 256 + t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (lane == 0) sums[warp] = v; //~ race
    FIX(__syncthreads();)
    if (warp == 0) {
        v = lane < 8 ? sums[lane] : 0;
        for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
        if (lane == 0) out[blockIdx.x] = v;
    }
}
