//@ input data: int[n] = iota
//@ launch tile_sync(data) grid = 1, block = 64
//@ page 64
//@ catch race

#include "twins.cuh"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void tile_sync(int* data) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = data[t];
    FIX(tile.sync();)
    data[t] = s[t ^ 8]; //~ race
}
