//@ input in: int[n] = iota
//@ scratch out: int[(n + 255) / 256] = poison
//@ launch tree(in, out, n) grid = (n + 255) / 256, block = 256
//@ test 256
//@ page 1000
//@ catch race

#include "twins.cuh"
__global__ void tree(const int* in, int* out, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half]; //~ race
        FIX(__syncthreads();)
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
