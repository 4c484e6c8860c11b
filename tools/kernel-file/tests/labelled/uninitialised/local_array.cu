//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch local_array(in, out, n) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
__global__ void local_array(const int* in, int* out, int n) {
    int window[4];
    int t = threadIdx.x;
    for (int k = 0; k < EITHER((4), (3)); k++) window[k] = in[(t + k) % n];
    int sum = 0;
    for (int k = 0; k < 4; k++) sum += window[k]; //~ uninitialised
    out[t] = sum;
}
