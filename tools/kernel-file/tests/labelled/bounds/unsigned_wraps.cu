//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch unsigned_wraps(in, out, n) grid = 1, block = n
//@ page 64
//@ catch bounds

#include "twins.cuh"
__global__ void unsigned_wraps(const int* in, int* out, unsigned n) {
    unsigned t = threadIdx.x;
    out[t] = EITHER((t >= 3), (t - 3 >= 0)) ? in[t - 3] : 0; //~ bounds
}
