//! The last copies of the loop are not waited for, and the epilogue writes to their buffers.
//! The pattern of https://github.com/NVIDIA/cutlass/issues/1326.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_last_stages(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void published_last_stages(const int* in, int* out, int n) {
    __shared__ int s[3][64];
    int t = threadIdx.x, steps = n / 64, sum = 0;
    for (int i = 0; i < 2; i++) {
        COPY(&s[i][t], in + i * 64 + t);
        COMMIT();
    }
    for (int i = 0; i < steps; i++) {
        WAIT_GROUP(1);
        __syncthreads();
        sum += s[i % 3][63 - t];
        // Behind the end the first tile is copied again, and not used.
        COPY(&s[(i + 2) % 3][t], in + (i + 2) % steps * 64 + t); //~ async
        COMMIT();
    }
    FIX(WAIT_ALL(); __syncthreads();)
    for (int i = 0; i < 3; i++) s[i][63 - t] = sum; //~ async
    __syncthreads();
    for (int i = 0; i < steps; i++) out[i * 64 + t] = s[i % 3][t];
}
