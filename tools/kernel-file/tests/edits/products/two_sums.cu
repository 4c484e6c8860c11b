//! Two sets of sums: the threads use one while the product into the other is in flight.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch two_sums(in, out) grid = 1, block = 128
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void two_sums(const int* in, int* out) {
    __shared__ __align__(128) int s[512];
    int t = threadIdx.x, d[4] = {0, 0, 0, 0}, e[4] = {0, 0, 0, 0}, sum = 0;
    for (int i = 0; i < 4; i++) s[i * 128 + t] = in[i * 128 + t];
    PROXY_FENCE();
    __syncthreads();
    MULTIPLY_FENCE(); //- async
    MULTIPLY(d, s);
    MULTIPLY_COMMIT(); //- async
    for (int round = 0; round < 3; round++) {
        MULTIPLY(e, s); //= async: MULTIPLY(e, s); sum += e[3];
        MULTIPLY_COMMIT(); //- async //= async: if (round == 0) MULTIPLY_COMMIT();
        MULTIPLY_WAIT(1); //- async //= async: MULTIPLY_WAIT(2); //+ MULTIPLY_WAIT(0);
        for (int i = 0; i < 4; i++) sum += d[i]; //= async: for (int i = 0; i < 4; i++) sum += e[i];
        MULTIPLY_FENCE(); //- async
        MULTIPLY(d, s);
        MULTIPLY_COMMIT(); //- async
        MULTIPLY_WAIT(1); //- async //= async: MULTIPLY_WAIT(2); //+ MULTIPLY_WAIT(0);
        for (int i = 0; i < 4; i++) sum += e[i]; //= async: for (int i = 0; i < 4; i++) sum += d[i];
        MULTIPLY_FENCE(); //- async
    }
    MULTIPLY_WAIT(0); //+
    for (int i = 0; i < 4; i++) out[t * 4 + i] = sum ? i : i;
}
__host__ __device__ int expected(const int* in, int i) { return i % 4; }
