//@ input data: int[n] = iota
//@ launch full_mask_in_a_branch(data) grid = 1, block = 32
//@ page 32
//@ catch sync-mask

#include "twins.cuh"
__global__ void full_mask_in_a_branch(int* data) {
    int t = threadIdx.x;
    if (t < 16) data[t] = __shfl_down_sync(EITHER((0x0000ffffu), (0xffffffffu)), data[t], 8, 16); //~ sync-mask
}
