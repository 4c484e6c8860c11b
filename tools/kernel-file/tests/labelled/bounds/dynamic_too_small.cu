//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch dynamic_too_small(in, out, n) grid = 1, block = n, shared = 4 * n
//@ test 32
//@ page 64
//@ catch bounds

#include "twins.cuh"
__global__ void dynamic_too_small(const int* in, int* out, int n) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t EITHER((), (+ 1))] = in[t]; //~ bounds
    __syncthreads();
    out[t] = s[n - 1 - t EITHER((), (+ 1))];
}
