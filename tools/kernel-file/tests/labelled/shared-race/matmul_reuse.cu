//! The second barrier keeps the next tile from overwriting this one.
//@ input a: float[n * n] = iota
//@ input b: float[n * n] = iota
//@ scratch c: float[n * n] = poison
//@ launch matmul_reuse(a, b, c, n) grid = (n / 16, n / 16), block = (16, 16)
//@ test 32
//@ page 64
//@ catch race

#include "twins.cuh"
__global__ void matmul_reuse(const float* a, const float* b, float* c, int n) {
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        as[ty][tx] = a[row * n + k + tx]; //~ race
        bs[ty][tx] = b[(k + ty) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += as[ty][i] * bs[i][tx];
        FIX(__syncthreads();)
    }
    c[row * n + column] = sum;
}
