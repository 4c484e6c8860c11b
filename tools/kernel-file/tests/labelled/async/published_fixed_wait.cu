//! A tile is input and then output; the wait for its store comes at a fixed step, one too late.
//! The pattern of https://github.com/uccl-project/mKernel/pull/18.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_fixed_wait(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void published_fixed_wait(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[2][64];
    __shared__ unsigned long long full[2];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full[0], 1);
        INIT(&full[1], 1);
        INIT_FENCE();
    }
    __syncthreads();
    for (int task = 0; task < n / 64; task++) {
        for (int step = 0; step < 2; step++) {
            if (t == 0) {
                if (step == EITHER((0), (1))) BULK_WAIT_READ(0);
                EXPECT(&full[step], 256);
                LOAD(s[step], in + task * 64, 256, &full[step]); //~ async
            }
            WAIT(&full[step], task % 2);
        }
        int sum = s[0][63 - t] + s[1][t];
        __syncthreads();
        s[0][t] = sum;
        PROXY_FENCE();
        __syncthreads();
        if (t == 0) {
            STORE(out + task * 64, s[0], 256);
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}
