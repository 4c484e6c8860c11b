//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch guard_too_wide(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 127
//@ page 1000
//@ catch bounds

#include "twins.cuh"
__global__ void guard_too_wide(const int* in, int* out, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i EITHER((<), (<=)) n) out[i] = in[i]; //~ bounds
}
