//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch left_neighbour(in, out, n) grid = (n + 63) / 64, block = 64
//@ test 64
//@ page 100
//@ catch bounds

#include "twins.cuh"
__global__ void left_neighbour(const int* in, int* out, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) out[i] = in[i] + EITHER((i > 0 ? in[i - 1] : 0), (in[i - 1])); //~ bounds
}
