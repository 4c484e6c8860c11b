//! A graph with the edges t -> t / 3: each vertex adds to its neighbour.
//@ input edges: int[n] = iota
//@ input value: int[n] = iota
//@ launch push(edges, value, n) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void push(const int* edges, int* value, int n) {
    int t = threadIdx.x;
    int to = edges[t] / 3;
    EITHER((atomicAdd(&value[to], t)), (value[to] += t)); //~ race
}
