//! In place, the neighbour's block may have been there already.
//@ input a: int[n] = iota
//@ scratch b: int[n] = poison
//@ launch stencil(a, b, n) grid = (n + 63) / 64, block = 64
//@ test 128
//@ page 300
//@ catch race

#include "twins.cuh"
__global__ void stencil(int* a, int* b, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    int left = i > 0 ? a[i - 1] : 0; //~ race
    EITHER((b), (a))[i] = left + a[i];
    if (i < 0) b[i] = 0;
}
