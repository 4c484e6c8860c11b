//! Two buffers: the engine stores one while the threads write the other.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch two_stages(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void two_stages(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[2][64];
    int t = threadIdx.x;
    for (int i = 0; i < n / 64; i++) {
        if (t == 0) BULK_WAIT_READ(1); //- async //= async: if (t == 0) BULK_WAIT_READ(2); //+ if (t == 0) BULK_WAIT_READ(0);
        __syncthreads(); //- async
        s[i % 2][t] = in[i * 64 + t]; //= async: s[(i + 1) % 2][t] = in[i * 64 + t];
        PROXY_FENCE(); //- async
        __syncthreads(); //- async
        if (t == 0) { STORE(out + i * 64, s[i % 2], 256); BULK_COMMIT(); } //= async: if (t == 0) { STORE(out + i * 64, s[i % 2], 256); if (i % 2) BULK_COMMIT(); } //+ if (t == 0) { STORE(out + i * 64, s[i % 2], 128); STORE(out + i * 64 + 32, s[i % 2] + 32, 128); BULK_COMMIT(); }
    }
    if (t == 0) BULK_WAIT(0); //- async //= async: if (t == 0) BULK_WAIT(1); //+ if (t == 0) BULK_WAIT_READ(0);
}
__host__ __device__ int expected(const int* in, int i) { return in[i]; }
