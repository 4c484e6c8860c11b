//! Threads store words into another block's shared memory, and the words count at an mbarrier there.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch words(in, out, n) grid = 2, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void __cluster_dims__(2, 1, 1) words(const int* in, int* out, int n) {
    __shared__ __align__(16) int s[64];
    __shared__ unsigned long long full;
    int t = threadIdx.x, rank = blockIdx.x % 2;
    if (t == 0) {
        INIT(&full, 1); //= deadlock: INIT(&full, 2); //- mbarrier
        INIT_FENCE(); //+ 
    }
    CLUSTER_SYNC(); //- barrier,mbarrier //= barrier,mbarrier: __syncthreads(); //+ CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT();
    for (int i = 0; i < n / 128; i++) {
        if (t == 0) EXPECT(&full, 256); //- deadlock,mbarrier,async //= deadlock: if (t == 0) EXPECT(&full, 260); //= async,deadlock,mbarrier: if (t == 0) EXPECT(&full, 252);
        STORE_ASYNC(&s[t], in[i * 128 + rank * 64 + t], &full, 1 - rank); //- deadlock //= deadlock: if (t) STORE_ASYNC(&s[t], in[i * 128 + rank * 64 + t], &full, 1 - rank); //= async: STORE_ASYNC(&s[0], in[i * 128 + rank * 64 + t], &full, 1 - rank);
        WAIT(&full, i % 2); //- async,barrier //= async,deadlock: WAIT(&full, 1 - i % 2); //= async: if (t == 0) WAIT(&full, i % 2); //+ if (t == 0) WAIT(&full, i % 2); __syncthreads();
        out[i * 128 + (1 - rank) * 64 + t] = s[t]; //+ out[i * 128 + (1 - rank) * 64 + t] = s[t]; __syncthreads();
        CLUSTER_SYNC(); //- async,mbarrier,deadlock //= async,mbarrier,deadlock: __syncthreads(); //= async: CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT(); //+ CLUSTER_ARRIVE(); CLUSTER_WAIT();
    }
}
__host__ __device__ int expected(const int* in, int i) { return in[i]; }
