//@ input in: int[n] = iota
//@ scratch bins: int[16] = zero
//@ launch histogram_of_too_many(in, bins, n) grid = 1, block = 64
//@ page 100
//@ catch bounds

#include "twins.cuh"
__global__ void histogram_of_too_many(const int* in, int* bins, int n) {
    for (int i = threadIdx.x; i < n; i += 64) atomicAdd(&bins[in[i] EITHER((% 16), (/ 6))], 1); //~ bounds
}
