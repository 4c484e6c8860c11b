//! volatile keeps the compiler from remembering; it orders no lanes.
//@ input in: int[n] = iota
//@ scratch out: int[1] = poison
//@ launch volatile_sum(in, out) grid = 1, block = 32
//@ page 32
//@ catch race

#include "twins.cuh"
__global__ void volatile_sum(const int* in, int* out) {
    __shared__ int memory[32];
    volatile int* s = memory;
    int t = threadIdx.x;
    s[t] = in[t];
    for (int half = 16; half > 0; half /= 2) {
        FIX(__syncwarp();)
        if (t < half) s[t] += s[t + half]; //~ race
    }
    if (t == 0) *out = s[0];
}
