//! One thread fills the only stage again after the block's barrier.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch one_stage(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void one_stage(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[64];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full, 1);
        INIT_FENCE(); //- async
    }
    __syncthreads(); //- mbarrier
    for (int i = 0; i < n / 64; i++) {
        if (t == 0) { EXPECT(&full, 256); LOAD(s, in + i * 64, 256, &full); } //= async: if (t == 32) { EXPECT(&full, 256); LOAD(s, in + i * 64, 256, &full); s[1] = 0; } //+ if (t == 0) { EXPECT(&full, 256); LOAD(s, in + i * 64, 256, &full); LOAD(s, in + i * 64, 0, &full); } //+ if (t == 32) { EXPECT(&full, 256); LOAD(s, in + i * 64, 256, &full); }
        WAIT(&full, i % 2); //- async //= async: if (t == 0) WAIT(&full, i % 2); //+ if (t == 0) WAIT(&full, i % 2); __syncthreads(); //= async: if (t < 32) WAIT(&full, i % 2);
        out[i * 64 + t] = s[63 - t]; //+ if (t < 32) out[i * 64 + t] = s[63 - t];
        __syncthreads(); //- async,deadlock //= async,deadlock: __syncwarp(); //= async,deadlock: __threadfence();
    }
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 64 + 63 - i % 64]; }
