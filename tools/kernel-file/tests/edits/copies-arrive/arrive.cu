//! Each thread's copies arrive at an mbarrier when they are done.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch arrive(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void arrive(const int* in, int* out, int n) {
    __shared__ int s[64];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) INIT(&full, 64); //= deadlock: if (t == 0) INIT(&full, 65); //= async,mbarrier: if (t == 0) INIT(&full, 32); //- mbarrier
    __syncthreads(); //- race,mbarrier
    for (int i = 0; i < n / 64; i++) {
        COPY(&s[t], in + i * 64 + t);
        COPY_ARRIVE(&full); //- deadlock //= async: ARRIVE(&full); //+ WAIT_ALL(); ARRIVE(&full); //= async: COMMIT(); ARRIVE(&full);
        WAIT(&full, i % 2); //- async //= async: WAIT(&full, (i + 1) % 2); //= async,deadlock: WAIT(&full, 0);
        out[i * 64 + t] = s[63 - t]; //+ out[i * 64 + t] = s[t];
        __syncthreads(); //- async
    }
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 64 + 63 - i % 64]; }
