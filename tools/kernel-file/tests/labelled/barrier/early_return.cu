//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch early_return(in, out, n) grid = (n + 63) / 64, block = 64
//@ test 64
//@ page 100
//@ catch barrier

#include "twins.cuh"
__global__ void early_return(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    EITHER((), (if (i >= n) return;))
    s[t] = i < n ? in[i] : 0;
    __syncthreads(); //~ barrier
    if (i < n) out[i] = s[t ^ 1];
}
