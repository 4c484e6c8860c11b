//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch double_buffer_first_round(in, out, n) grid = 1, block = 32
//@ page 128
//@ catch uninitialised

#include "twins.cuh"
__global__ void double_buffer_first_round(const int* in, int* out, int n) {
    __shared__ int s[2][32];
    int t = threadIdx.x;
    s[EITHER((0), (1))][t] = in[t];
    for (int base = 0, at = 0; base < n; base += 32, at = 1 - at) {
        __syncthreads();
        out[base + t] = s[at][31 - t]; //~ uninitialised
        if (base + 32 < n) s[1 - at][t] = in[base + 32 + t];
    }
}
