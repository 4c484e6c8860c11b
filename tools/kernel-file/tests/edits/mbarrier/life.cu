//! An mbarrier alone: threads write, arrive, wait and read.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch life(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void life(const int* in, int* out, int n) {
    __shared__ int s[64];
    __shared__ unsigned long long bar;
    int t = threadIdx.x;
    if (t == 0) INIT(&bar, 64); //- mbarrier //= deadlock: if (t == 0) INIT(&bar, 65); //= race,mbarrier: if (t == 0) INIT(&bar, 32); //= race,mbarrier: INIT(&bar, 64);
    __syncthreads(); //- mbarrier
    for (int i = 0; i < n / 64; i++) {
        s[t] = in[i * 64 + t];
        ARRIVE(&bar); //- deadlock //= deadlock: if (t != 7) ARRIVE(&bar); //= mbarrier,race: ARRIVE(&bar); ARRIVE(&bar);
        WAIT(&bar, i % 2); //- race //= race: WAIT(&bar, (i + 1) % 2); //= race,deadlock: WAIT(&bar, 0); //+ WAIT(&bar, i % 2); __syncthreads();
        out[i * 64 + t] = s[63 - t];
        __syncthreads(); //- race //= race: __syncwarp();
    }
    if (t == 0) INVALIDATE(&bar); //+ //= mbarrier: if (t == 0) { INVALIDATE(&bar); ARRIVE(&bar); }
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 64 + 63 - i % 64]; }
