//@ input in: int[n] = iota
//@ scratch out: int[1] = zero
//@ launch sum(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 128
//@ page 500
//@ catch race

#include "twins.cuh"
__global__ void sum(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) EITHER((atomicAdd(out, s[0])), (*out += s[0])); //~ race
}
