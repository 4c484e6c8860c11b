//! A warp group multiplies a tile that its threads have written. The last barrier of a round is redundant
//! in the simulator's model: who waits for the products of a warp group waits for those of its four warps.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch multiply(in, out, n) grid = 1, block = 128
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void multiply(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[512];
    int t = threadIdx.x, d[4] = {0, 0, 0, 0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 4; i++) s[i * 128 + t] = in[i * 128 + t];
        PROXY_FENCE(); //- async //= async: __threadfence_block(); //= async: if (t < 64) PROXY_FENCE();
        __syncthreads(); //- async //= async: __syncwarp();
        MULTIPLY_FENCE(); //- async //= async: PROXY_FENCE(); //+ if (round == 0) MULTIPLY_FENCE();
        MULTIPLY(d, s);
        MULTIPLY_COMMIT(); //- async
        MULTIPLY_WAIT(0); //- async //= async: MULTIPLY_WAIT(1);
        __syncthreads(); //+ //+ __syncwarp();
    }
    for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i];
}
__host__ __device__ int tile(const int* in, int row, int k) {
    int at = row / 8 * 256 + k / 16 * 128 + row % 8 * 16 + k % 16;
    return in[at / 4] >> at % 4 * 8 & 255;
}
__host__ __device__ int expected(const int* in, int i) {
    int t = i / 4, row = t / 32 * 16 + t % 32 / 4 + i % 4 / 2 * 8, column = t % 4 * 2 + i % 2, sum = 0;
    for (int k = 0; k < 32; k++) sum += tile(in, row, k) * tile(in, column, k);
    return 2 * sum;
}
