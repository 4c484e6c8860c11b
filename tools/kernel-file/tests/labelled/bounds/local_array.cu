//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch local_array(in, out, n) grid = 1, block = n
//@ page 32
//@ catch bounds

#include "twins.cuh"
__global__ void local_array(const int* in, int* out, int n) {
    int window[5];
    int t = threadIdx.x;
    for (int k = 0; k EITHER((<), (<=)) 5; k++) window[k] = in[(t + k) % n]; //~ bounds
    int sum = 0;
    for (int k = 0; k < 5; k++) sum += window[k];
    out[t] = sum;
}
