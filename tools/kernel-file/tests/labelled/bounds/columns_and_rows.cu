//! Three rows of n, or n rows of three: the stride must fit.
//@ input a: int[3 * n] = iota
//@ scratch out: int[n] = poison
//@ launch columns_and_rows(a, out, n) grid = 1, block = n
//@ test 8
//@ page 32
//@ catch bounds

#include "twins.cuh"
__global__ void columns_and_rows(const int* a, int* out, int n) {
    int t = threadIdx.x;
    out[t] = a[EITHER((t), (t * n))] + a[EITHER((n + t), (t * n + 1))] + a[2 * n + t]; //~ bounds
}
