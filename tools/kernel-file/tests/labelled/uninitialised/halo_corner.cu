//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch halo_corner(in, out, n) grid = n / 64, block = 64
//@ page 128
//@ catch uninitialised

#include "twins.cuh"
__global__ void halo_corner(const int* in, int* out, int n) {
    __shared__ int s[66];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == EITHER((63), (64))) s[65] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    out[i] = s[t] + s[t + 2]; //~ uninitialised
}
