//! Whoever calls a function of his own like one hands over a value all the same.
//@ scratch out: int[n] = poison
//@ launch a_name_is_no_shuffle(out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
__device__ int shfl_own(int v) { return v + 1; }
__global__ void a_name_is_no_shuffle(int* out) {
    int first;
    EITHER((first = 0;), (if (threadIdx.x == 0) first = 0;))
    out[threadIdx.x] = shfl_own(first); //~ uninitialised
}
