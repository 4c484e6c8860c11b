//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch no_guard(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 128, 129
//@ page 1000
//@ catch bounds

#include "twins.cuh"
__global__ void no_guard(const int* in, int* out, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    FIX(if (i < n)) out[i] = in[i]; //~ bounds
}
