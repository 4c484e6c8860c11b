//! A block fills shared memory, and a bulk copy takes it to the other block of the cluster.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch copies(in, out, n) grid = 2, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void __cluster_dims__(2, 1, 1) copies(const int* in, int* out, int n) {
    __shared__ __align__(128) int from[64], to[64];
    __shared__ unsigned long long full;
    int t = threadIdx.x, rank = blockIdx.x % 2;
    if (t == 0) {
        INIT(&full, 1);
        INIT_FENCE(); //- async
    }
    CLUSTER_SYNC(); //- barrier,mbarrier //= barrier,mbarrier: __syncthreads();
    for (int i = 0; i < n / 128; i++) {
        from[t] = in[i * 128 + rank * 64 + t];
        PROXY_FENCE(); //- async //= async: __threadfence(); //= async: if (t == 0) PROXY_FENCE();
        __syncthreads(); //- async //= async: __syncwarp();
        if (t == 0) { EXPECT(&full, 256); COPY_TO(to, from, 256, &full, 1 - rank); } //= deadlock: if (t == 0) EXPECT(&full, 256); //= deadlock: if (t == 0) { EXPECT(&full, 272); COPY_TO(to, from, 256, &full, 1 - rank); } //= async: if (t == 0) { EXPECT(&full, 256); COPY_TO(to, from, 256, &full, 1 - rank); from[0] = 0; } //+ if (t == 0) { EXPECT(&full, 256); COPY_TO(to, from, 128, &full, 1 - rank); COPY_TO(to + 32, from + 32, 128, &full, 1 - rank); }
        WAIT(&full, i % 2); //- async,barrier,deadlock //= async,deadlock: WAIT(&full, 1 - i % 2); //= async: if (t == 0) WAIT(&full, i % 2);
        out[i * 128 + (1 - rank) * 64 + t] = to[t];
        CLUSTER_SYNC(); //- async,mbarrier,deadlock //= async,mbarrier,deadlock: __syncthreads(); //= async: CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT();
    }
}
__host__ __device__ int expected(const int* in, int i) { return in[i]; }
