//! The left factor is in registers. Two sets of them: one is filled while the other is multiplied.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch rows(in, out) grid = 1, block = 128
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void rows(const int* in, int* out) {
    __shared__ __align__(128) int s[64];
    int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4, d[4] = {0, 0, 0, 0}, a[2][4];
    if (t < 64) s[t] = in[t];
    PROXY_FENCE(); //- async
    __syncthreads(); //- async
    for (int i = 0; i < 4; i++) {
        MULTIPLY_WAIT(1); //- async //= async: MULTIPLY_WAIT(2); //+ MULTIPLY_WAIT(0);
        for (int r = 0; r < 4; r++) a[i % 2][r] = in[(row + r % 2 * 8) * 8 + t % 4 + r / 2 * 4]; //= async: for (int r = 0; r < 4; r++) a[0][r] = a[1][r] = in[(row + r % 2 * 8) * 8 + t % 4 + r / 2 * 4];
        MULTIPLY_FENCE(); //- async //= async: if (i == 0) MULTIPLY_FENCE();
        MULTIPLY_ROWS(d, a[i % 2], s); //= async: MULTIPLY_ROWS(d, a[0], s);
        MULTIPLY_COMMIT(); //- async //+ MULTIPLY_COMMIT(); MULTIPLY_WAIT(0);
    }
    MULTIPLY_WAIT(0); //- async //= async: MULTIPLY_WAIT(1);
    for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i];
}
__host__ __device__ int expected(const int* in, int i) {
    int t = i / 4, row = t / 32 * 16 + t % 32 / 4 + i % 4 / 2 * 8, column = t % 4 * 2 + i % 2, sum = 0;
    for (int k = 0; k < 32; k++) {
        int b = k / 16 * 128 + column * 16 + k % 16;
        sum += (in[row * 8 + k / 4] >> k % 4 * 8 & 255) * (in[b / 4] >> b % 4 * 8 & 255);
    }
    return 4 * sum;
}
