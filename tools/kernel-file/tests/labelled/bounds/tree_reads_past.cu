//@ input in: int[n] = iota
//@ scratch out: int[n / 64] = poison
//@ launch tree_reads_past(in, out) grid = n / 64, block = 64
//@ test 64
//@ page 128
//@ catch bounds

#include "twins.cuh"
__global__ void tree_reads_past(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        int at = 2 * step * t;
        if (at EITHER((< 64), (<= 64))) s[at] += s[at + step]; //~ bounds
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
