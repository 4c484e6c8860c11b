//! Different members of one struct belong to different threads.
//@ input data: int[2 * n] = iota
//@ launch struct_fields(data, n) grid = 1, block = n
//@ test 64
//@ page 128
//@ catch race

#include "twins.cuh"
struct Pair {
    int first, second;
};
__global__ void struct_fields(int* data, int n) {
    Pair* pairs = (Pair*)data;
    int t = threadIdx.x, other = (t + 1) % n;
    pairs[t].first = t; //~ race
    pairs[other].EITHER((second), (first)) = t;
}
