//! The last threads have nothing to load, and their places are read all the same.
//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch shared_not_filled(in, out, n) grid = 1, block = 64
//@ test 40
//@ page 64
//@ catch uninitialised

#include "twins.cuh"
__global__ void shared_not_filled(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    EITHER((s[t] = t < n ? in[t] : 0), (if (t < n) s[t] = in[t]));
    __syncthreads();
    if (t < n) out[t] = s[63 - t]; //~ uninitialised
}
