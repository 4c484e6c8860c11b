//@ scratch data: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch own_initialiser(data, out) grid = 1, block = n
//@ page 64
//@ catch uninitialised

#include "twins.cuh"
__global__ void own_initialiser(int* data, int* out) {
    int t = threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int sum = data[t] + EITHER((k), (sum)); //~ uninitialised
        out[t] = sum;
    }
}
