//! The sums of each product are added to others by the threads, and begin at zero again.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch promote(in, out) grid = 1, block = 128
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void promote(const int* in, int* out) {
    __shared__ __align__(128) int s[512];
    int t = threadIdx.x, d[4], sum[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4; i++) s[i * 128 + t] = in[i * 128 + t];
    PROXY_FENCE(); //- async
    __syncthreads(); //- async
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 4; i++) d[i] = 0;
        MULTIPLY_FENCE(); //- async //= async: if (round == 0) MULTIPLY_FENCE(); //= async: PROXY_FENCE(); //+ MULTIPLY_FENCE(); MULTIPLY_FENCE();
        MULTIPLY(d, s);
        MULTIPLY(d, s); //+
        MULTIPLY_COMMIT(); //- async
        MULTIPLY_WAIT(0); //- async //= async: MULTIPLY_WAIT(1); //= async: if (round > 0) MULTIPLY_WAIT(0);
        for (int i = 0; i < 4; i++) sum[i] += d[i]; //= async: for (int i = 0; i < 4; i++) sum[i] += d[i]; MULTIPLY(d, s); MULTIPLY_COMMIT(); MULTIPLY_WAIT(0);
    }
    for (int i = 0; i < 4; i++) out[t * 4 + i] = sum[i] ? i : i;
}
__host__ __device__ int expected(const int* in, int i) { return i % 4; }
