//@ input a: int[n] = iota
//@ scratch b: int[n] = poison
//@ scratch c: int[n] = poison
//@ launch stages(a, b, c, n) grid = 1, block = n
//@ test 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void stages(const int* a, int* b, int* c, int n) {
    int t = threadIdx.x;
    b[t] = 2 * a[t]; //~ race
    FIX(__syncthreads();)
    c[t] = b[n - 1 - t];
}
