//@ input in: float[n] = iota
//@ scratch out: float[1] = poison
//@ launch sum_without_a_start(in, out, n) grid = 1, block = 1
//@ page 20
//@ catch uninitialised

#include "twins.cuh"
__global__ void sum_without_a_start(const float* in, float* out, int n) {
    float sum EITHER((= 0), ());
    for (int i = 0; i < n; i++) sum += in[i]; //~ uninitialised
    *out = sum;
}
