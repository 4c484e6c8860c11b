//! Of what a shuffle offers, what nobody reads may be nothing.
//@ scratch count: int[1] = zero
//@ scratch out: int[n] = poison
//@ launch one_lane_for_all(count, out) grid = n / 32, block = 32
//@ page 64
//@ catch uninitialised

#include "twins.cuh"
__global__ void one_lane_for_all(int* count, int* out) {
    int first;
    if (threadIdx.x == 0) first = atomicAdd(count, 32);
    EITHER((first = __shfl_sync(0xffffffff, first, 0);), ())
    out[first + threadIdx.x] = 1; //~ uninitialised
}
