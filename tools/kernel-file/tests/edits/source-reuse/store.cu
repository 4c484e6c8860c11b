//! One buffer is written by the threads and stored by the copy engine, step by step.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch store(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void store(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n / 64; i++) {
        if (t == 0) BULK_WAIT_READ(0); //- async //= async: if (t == 0) BULK_WAIT_READ(1); //= async: if (t == 32) BULK_WAIT_READ(0); //+ if (t == 0) BULK_WAIT(0);
        __syncthreads(); //- async
        s[t] = in[i * 64 + t];
        PROXY_FENCE(); //- async //= async: __threadfence(); //= async: if (t == 0) PROXY_FENCE();
        __syncthreads(); //- async //= async: __syncwarp();
        if (t == 0) { STORE(out + i * 64, s, 256); BULK_COMMIT(); } //= async: if (t == 0) STORE(out + i * 64, s, 256); //= async: if (t == 32) { STORE(out + i * 64, s, 256); BULK_COMMIT(); }
    }
    if (t == 0) BULK_WAIT_READ(0); //- async //= async: if (t == 0) BULK_WAIT_READ(1); //+ if (t == 0) BULK_WAIT(0);
}
__host__ __device__ int expected(const int* in, int i) { return in[i]; }
