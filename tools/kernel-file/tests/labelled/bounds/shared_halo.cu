//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch shared_halo(in, out, n) grid = n / 64, block = 64
//@ test 64
//@ page 128
//@ catch bounds

#include "twins.cuh"
__global__ void shared_halo(const int* in, int* out, int n) {
    __shared__ int s[EITHER((66), (64))];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t + 1] = in[i]; //~ bounds
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 63) s[65] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    out[i] = s[t] + s[t + 1] + s[t + 2];
}
