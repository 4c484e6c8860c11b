//! The same with cooperative groups.
//@ input data: int[n] = iota
//@ launch tiles(data) grid = 1, block = 64
//@ page 64
//@ catch race

#include "twins.cuh"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void tiles(int* data) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<EITHER((16), (8))>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = data[t];
    tile.sync();
    data[t] = s[t ^ 8]; //~ race
}
