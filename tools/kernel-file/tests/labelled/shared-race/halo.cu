//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch halo(in, out, n) grid = n / 128, block = 128
//@ test 128
//@ page 512
//@ catch race

#include "twins.cuh"
__global__ void halo(const int* in, int* out, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i]; //~ race
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 127) s[129] = i + 1 < n ? in[i + 1] : 0;
    FIX(__syncthreads();)
    out[i] = s[t] + s[t + 1] + s[t + 2];
}
