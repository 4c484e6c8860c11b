//@ input data: int[n] = iota
//@ launch source_lane_left(data) grid = 1, block = 32
//@ page 32
//@ catch sync-mask

#include "twins.cuh"
__global__ void source_lane_left(int* data) {
    int t = threadIdx.x;
    if (t < 16) data[t] = __shfl_sync(0x0000ffffu, data[t], EITHER((15 - t), (t + 16))); //~ sync-mask
}
