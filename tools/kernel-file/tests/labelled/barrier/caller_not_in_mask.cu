//@ input data: int[n] = iota
//@ launch caller_not_in_mask(data) grid = 1, block = 32
//@ page 32
//@ catch sync-mask

#include "twins.cuh"
__global__ void caller_not_in_mask(int* data) {
    data[threadIdx.x] += __shfl_xor_sync(EITHER((0xffffffffu), (0x0000ffffu)), data[threadIdx.x], 1); //~ sync-mask
}
