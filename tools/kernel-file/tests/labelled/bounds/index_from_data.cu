//@ input index: int[n] = iota
//@ scratch out: int[n] = zero
//@ launch index_from_data(index, out, n) grid = 1, block = n
//@ page 64
//@ catch bounds

#include "twins.cuh"
__global__ void index_from_data(const int* index, int* out, int n) {
    int at = index[threadIdx.x] * 2;
    FIX(if (at < n)) out[at] = 1; //~ bounds
}
