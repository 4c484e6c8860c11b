//@ input in: int[n * n] = iota
//@ scratch out: int[n * n] = poison
//@ launch transpose(in, out, n) grid = (n / 16, n / 16), block = (16, 16)
//@ test 16
//@ page 64
//@ catch race

#include "twins.cuh"
__global__ void transpose(const int* in, int* out, int n) {
    __shared__ int tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x]; //~ race
    FIX(__syncthreads();)
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
