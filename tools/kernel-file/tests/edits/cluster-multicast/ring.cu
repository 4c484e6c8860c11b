//! Each block copies a half of every tile to both blocks of its cluster. A stage is refilled when the
//! consumers of both have arrived.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch ring(in, out, n) grid = 2, block = 96
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void __cluster_dims__(2, 1, 1) ring(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[2][64];
    __shared__ unsigned long long full[2], empty[2];
    int t = threadIdx.x, rank = blockIdx.x % 2;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            INIT(&full[i], 1);
            INIT(&empty[i], 128); //= async,mbarrier: INIT(&empty[i], 64); //= deadlock: INIT(&empty[i], 129);
        }
        INIT_FENCE(); //- async //= async: __threadfence();
    }
    CLUSTER_SYNC(); //- barrier,mbarrier //= barrier,mbarrier: __syncthreads(); //+ CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT();
    if (t == 64)
        for (int i = 0; i < n / 64; i++) {
            WAIT(&empty[i % 2], (i / 2 + 1) % 2); //- async,mbarrier //= deadlock: WAIT(&empty[i % 2], i / 2 % 2); //+ if (i > 1) WAIT(&empty[i % 2], (i / 2 + 1) % 2); //= async,mbarrier: if (rank) WAIT(&empty[i % 2], (i / 2 + 1) % 2); //= async,mbarrier: if (i < 4) WAIT(&empty[i % 2], (i / 2 + 1) % 2);
            EXPECT(&full[i % 2], 256); //- deadlock,mbarrier,async //= deadlock: EXPECT(&full[i % 2], 512); //= async,mbarrier,deadlock: EXPECT(&full[i % 2], 128); //= async,mbarrier,deadlock: if (rank) EXPECT(&full[i % 2], 256);
            LOAD_ALL(s[i % 2] + rank * 32, in + i * 64 + rank * 32, 128, &full[i % 2], 3); //- deadlock //= deadlock: LOAD_ALL(s[i % 2] + rank * 32, in + i * 64 + rank * 32, 128, &full[i % 2], 1); //= deadlock: LOAD(s[i % 2] + rank * 32, in + i * 64 + rank * 32, 128, &full[i % 2]); //= async: LOAD_ALL(s[i % 2], in + i * 64, 128, &full[i % 2], 3); //+ LOAD_ALL(s[i % 2] + rank * 32, in + i * 64 + rank * 32, 128, &full[i % 2], 3); LOAD(s[i % 2], in, 0, &full[i % 2]);
        }
    if (t < 64)
        for (int i = 0; i < n / 64; i++) {
            WAIT(&full[i % 2], i / 2 % 2); //- async,deadlock //= async,deadlock: WAIT(&full[i % 2], (i / 2 + 1) % 2); //= async,deadlock: WAIT(&full[i % 2], i % 2);
            if (t / 32 == rank) out[i * 64 + t] = s[i % 2][63 - t]; //+ int v = s[i % 2][63 - t]; if (t / 32 == rank) out[i * 64 + t] = v;
            ARRIVE_AT("", &empty[i % 2], 0); ARRIVE_AT("", &empty[i % 2], 1); //- deadlock //= deadlock: ARRIVE_AT("", &empty[i % 2], 0); //= deadlock: ARRIVE(&empty[i % 2]); //= async,mbarrier: ARRIVE(&empty[i % 2]); ARRIVE(&empty[i % 2]); //+ ARRIVE_AT("", &empty[i % 2], 1 - rank); ARRIVE(&empty[i % 2]); //+ ARRIVE_AT(".release.cluster", &empty[i % 2], 0); ARRIVE_AT(".release.cluster", &empty[i % 2], 1);
        }
    CLUSTER_SYNC(); //- barrier //= barrier: __syncthreads(); //= barrier: CLUSTER_ARRIVE(); //+ CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT(); //= barrier: if (rank) CLUSTER_SYNC();
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 64 + 63 - i % 64]; }
