//! A producer fills two stages for the products of a warp group, one product in flight.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch stages(in, out, n) grid = 1, block = 160
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void stages(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[2][512];
    __shared__ unsigned long long full[2], empty[2];
    int t = threadIdx.x, steps = 6, d[4] = {0, 0, 0, 0};
    if (t == 0) {
        for (int i = 0; i < 2; i++) { INIT(&full[i], 1); INIT(&empty[i], 1); }
        INIT_FENCE(); //- async
    }
    __syncthreads(); //- race,async,mbarrier
    if (t == 128)
        for (int i = 0; i < steps; i++) {
            WAIT(&empty[i % 2], (i / 2 + 1) % 2); //- async,mbarrier //= deadlock: WAIT(&empty[i % 2], i / 2 % 2); //+ if (i > 1) WAIT(&empty[i % 2], (i / 2 + 1) % 2);
            EXPECT(&full[i % 2], 2048); //= deadlock: EXPECT(&full[i % 2], 4096); //= async,mbarrier,deadlock: EXPECT(&full[i % 2], 1024); //- deadlock,mbarrier
            LOAD(s[i % 2], in, 2048, &full[i % 2]); //- deadlock
        }
    if (t < 128) {
        for (int i = 0; i < steps; i++) {
            WAIT(&full[i % 2], i / 2 % 2); //- async //= async: WAIT(&full[i % 2], (i / 2 + 1) % 2);
            MULTIPLY_FENCE(); //- async //+ if (i == 0) MULTIPLY_FENCE();
            MULTIPLY(d, s[i % 2]); //= async: MULTIPLY(d, s[(i + 1) % 2]);
            MULTIPLY_COMMIT(); //- async
            MULTIPLY_WAIT(1); //- async //= async: MULTIPLY_WAIT(2); //+ MULTIPLY_WAIT(0);
            if (i > 0 && t == 0) ARRIVE(&empty[(i - 1) % 2]); //- deadlock //= async,mbarrier: if (t == 0) ARRIVE(&empty[i % 2]); //= deadlock,mbarrier,async: if (i > 0 && t == 0) ARRIVE(&empty[i % 2]);
        }
        MULTIPLY_WAIT(0); //- async //= async: MULTIPLY_WAIT(1);
        for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i];
    }
}
__host__ __device__ int tile(const int* in, int row, int k) {
    int at = row / 8 * 256 + k / 16 * 128 + row % 8 * 16 + k % 16;
    return in[at / 4] >> at % 4 * 8 & 255;
}
__host__ __device__ int expected(const int* in, int i) {
    int t = i / 4, row = t / 32 * 16 + t % 32 / 4 + i % 4 / 2 * 8, column = t % 4 * 2 + i % 2, sum = 0;
    for (int k = 0; k < 32; k++) sum += tile(in, row, k) * tile(in, column, k);
    return 6 * sum;
}
