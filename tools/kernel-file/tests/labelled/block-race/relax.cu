//! A shortest path's step: the least of several offers.
//@ input edges: int[n] = iota
//@ scratch distance: int[n] = zero
//@ launch relax(edges, distance, n) grid = n / 32, block = 32
//@ test 128
//@ page 512
//@ catch race

#include "twins.cuh"
__global__ void relax(const int* edges, int* distance, int n) {
    int i = blockIdx.x * 32 + threadIdx.x, to = (5 * edges[i] + 1) % 64;
    EITHER((atomicMin(&distance[to], i)), (if (i - 100 < distance[to]) distance[to] = i - 100)); //~ race
}
