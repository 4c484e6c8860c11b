//! With two buffers, one barrier a round is enough; with none between filling and use it is not.
//@ input a: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch double_buffer(a, out, n) grid = 1, block = 64
//@ test 64
//@ page 512
//@ catch race

#include "twins.cuh"
__global__ void double_buffer(const int* a, int* out, int n) {
    __shared__ int s[2][64];
    int t = threadIdx.x, at = 0;
    for (int base = 0; base < n; base += 64) {
        s[at][t] = a[base + t]; //~ race
        FIX(__syncthreads();)
        out[base + t] = s[at][63 - t];
        at = 1 - at;
    }
}
