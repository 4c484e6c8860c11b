//@ input data: int[n] = iota
//@ launch null(data, n) grid = 1, block = 32
//@ page 32
//@ catch bounds

#include "twins.cuh"
__global__ void null(int* data, int n) {
    int* p = EITHER((data), (nullptr));
    p[threadIdx.x] = n; //~ bounds
}
