//! A producer fills two stages with bulk copies, 64 consumers release them.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch pipeline(in, out, n) grid = 1, block = 96
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void pipeline(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[2][64];
    __shared__ unsigned long long full[2], empty[2];
    int t = threadIdx.x, steps = n / 64;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            INIT(&full[i], 1); //= deadlock: INIT(&full[i], 2); //- mbarrier
            INIT(&empty[i], 64); //= deadlock: INIT(&empty[i], 65); //= async,mbarrier,deadlock: INIT(&empty[i], 1); //- mbarrier
        }
        INIT_FENCE(); //- async //+ PROXY_FENCE();
    }
    __syncthreads(); //- race,async,mbarrier
    if (t == 64)
        for (int i = 0; i < steps; i++) {
            WAIT(&empty[i % 2], (i / 2 + 1) % 2); //- async,mbarrier //= deadlock: WAIT(&empty[i % 2], i / 2 % 2); //= async,deadlock: WAIT(&empty[i % 2], 1); //+ if (i > 1) WAIT(&empty[i % 2], (i / 2 + 1) % 2); //= async: if (i < 3) WAIT(&empty[i % 2], (i / 2 + 1) % 2);
            EXPECT(&full[i % 2], 256); //- deadlock,mbarrier //= deadlock: EXPECT(&full[i % 2], 512); //= async,mbarrier,deadlock: EXPECT(&full[i % 2], 128); //= async,mbarrier,deadlock: ARRIVE(&full[i % 2]);
            LOAD(s[i % 2], in + i * 64, 256, &full[i % 2]); //- deadlock //= async,deadlock: LOAD(s[0], in + i * 64, 256, &full[i % 2]); //= deadlock,mbarrier: LOAD(s[i % 2], in + i * 64, 256, &full[0]); //+ LOAD(s[i % 2], in + i * 64, 128, &full[i % 2]); LOAD(s[i % 2] + 32, in + i * 64 + 32, 128, &full[i % 2]); //= deadlock: LOAD(s[i % 2], in + i * 64, 128, &full[i % 2]);
        }
    if (t < 64)
        for (int i = 0; i < steps; i++) {
            WAIT(&full[i % 2], i / 2 % 2); //- async,deadlock //= async,deadlock: WAIT(&full[i % 2], (i / 2 + 1) % 2); //= async,deadlock: WAIT(&full[i % 2], i % 2); //= async,deadlock: WAIT(&full[i % 2], 0);
            out[i * 64 + t] = s[i % 2][63 - t]; ARRIVE(&empty[i % 2]); //= async: ARRIVE(&empty[i % 2]); out[i * 64 + t] = s[i % 2][63 - t]; //= deadlock: out[i * 64 + t] = s[i % 2][63 - t]; //= deadlock,mbarrier,async: out[i * 64 + t] = s[i % 2][63 - t]; if (t < 32) ARRIVE(&empty[i % 2]); //= async: int v = s[i % 2][63 - t]; ARRIVE(&empty[i % 2]); out[i * 64 + t] = v + s[i % 2][t]; //+ int v = s[i % 2][63 - t]; ARRIVE(&empty[i % 2]); out[i * 64 + t] = v;
        }
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 64 + 63 - i % 64]; }
