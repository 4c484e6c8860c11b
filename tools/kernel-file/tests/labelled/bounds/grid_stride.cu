//@ input data: int[n] = iota
//@ launch grid_stride(data, n) grid = 2, block = 32
//@ test 100
//@ page 200
//@ catch bounds

#include "twins.cuh"
__global__ void grid_stride(int* data, int n) {
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n EITHER((), (+ 1)); i += 64) data[i] = i; //~ bounds
}
