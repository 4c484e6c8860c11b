//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch right_neighbour(in, out, n) grid = (n + 63) / 64, block = 64
//@ test 64
//@ page 100
//@ catch bounds

#include "twins.cuh"
__global__ void right_neighbour(const int* in, int* out, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) out[i] = EITHER((i + 1 < n), (i < n)) ? in[i + 1] - in[i] : 0; //~ bounds
}
