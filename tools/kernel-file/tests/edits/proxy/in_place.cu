//! A tile is copied in, changed by the threads, and copied out.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch in_place(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void in_place(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[64];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full, 1);
        INIT_FENCE(); //- async
    }
    __syncthreads(); //- mbarrier
    for (int i = 0; i < n / 64; i++) {
        if (t == 0) { EXPECT(&full, 256); LOAD(s, in + i * 64, 256, &full); }
        WAIT(&full, i % 2); //- async //= async: WAIT(&full, (i + 1) % 2);
        s[t] += 1; //+ s[t] = 2 * s[t];
        PROXY_FENCE(); //- async //= async: __threadfence_block(); //= async: if (t < 32) PROXY_FENCE();
        __syncthreads(); //- async
        if (t == 0) { STORE(out + i * 64, s, 256); BULK_COMMIT(); BULK_WAIT_READ(0); } //= async: if (t == 0) { STORE(out + i * 64, s, 256); BULK_COMMIT(); } //= async: if (t == 0) { STORE(out + i * 64, s, 256); BULK_WAIT_READ(0); BULK_COMMIT(); } //= async: if (t == 0) { STORE(out + i * 64, s, 256); BULK_COMMIT(); BULK_WAIT_READ(1); } //+ if (t == 0) { STORE(out + i * 64, s, 256); BULK_COMMIT(); BULK_WAIT(0); }
        __syncthreads(); //+
    }
}
__host__ __device__ int expected(const int* in, int i) { return in[i] + 1; }
