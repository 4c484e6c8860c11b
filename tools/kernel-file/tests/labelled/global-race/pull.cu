//! Reading neighbours is safe as long as what is written is another array.
//@ input edges: int[n] = iota
//@ input value: int[n] = iota
//@ scratch next: int[n] = poison
//@ launch pull(edges, value, next, n) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void pull(const int* edges, int* value, int* next, int n) {
    int t = threadIdx.x, from = (3 * edges[t] + 1) % n;
    next[t] = 0;
    EITHER((next), (value))[t] = value[t] + value[from]; //~ race
}
