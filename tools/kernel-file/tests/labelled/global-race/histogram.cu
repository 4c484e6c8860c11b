//@ input in: int[n] = iota
//@ scratch bins: int[8] = zero
//@ launch histogram(in, bins, n) grid = 1, block = 64
//@ test 200
//@ page 512
//@ catch race

#include "twins.cuh"
__global__ void histogram(const int* in, int* bins, int n) {
    for (int i = threadIdx.x; i < n; i += 64) {
        EITHER((atomicAdd(&bins[in[i] % 8], 1)), (bins[in[i] % 8]++)); //~ race
    }
}
