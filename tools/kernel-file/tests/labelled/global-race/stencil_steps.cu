//@ input a: int[n] = iota
//@ input b: int[n] = iota
//@ launch stencil_steps(a, b, n) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void stencil_steps(int* a, int* b, int n) {
    int t = threadIdx.x;
    for (int step = 0; step < 4; step++) {
        int left = t > 0 ? a[t - 1] : 0, right = t + 1 < n ? a[t + 1] : 0; //~ race
        b[t] = left + a[t] + right;
        FIX(__syncthreads();)
        int* swap = a;
        a = b;
        b = swap;
    }
}
