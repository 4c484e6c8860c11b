//@ input in: int[n] = iota
//@ scratch out: int[(n + 127) / 128] = poison
//@ launch no_barrier_after_fill(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 128
//@ page 500
//@ catch race

#include "twins.cuh"
__global__ void no_barrier_after_fill(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0;
    FIX(__syncthreads();)
    for (int step = 1; step < 128; step *= 2) {
        if (t % (2 * step) == 0) s[t] += s[t + step]; //~ race
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
