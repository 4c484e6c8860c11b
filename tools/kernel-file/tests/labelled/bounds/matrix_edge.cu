//@ input in: int[n * n] = iota
//@ scratch out: int[n * n] = poison
//@ launch matrix_edge(in, out, n) grid = ((n + 15) / 16, (n + 15) / 16), block = (16, 16)
//@ test 16
//@ page 20
//@ catch bounds

#include "twins.cuh"
__global__ void matrix_edge(const int* in, int* out, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n EITHER((&&), (||)) y < n) out[y * n + x] = in[x * n + y]; //~ bounds
}
