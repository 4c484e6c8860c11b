//@ input in: int[n] = iota
//@ scratch out: int[1] = poison
//@ launch shared_sum(in, out, n) grid = 1, block = 64
//@ page 40
//@ catch uninitialised

#include "twins.cuh"
__global__ void shared_sum(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    FIX(s[t] = 0;)
    if (t < n) s[t] = in[t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half]; //~ uninitialised
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}
