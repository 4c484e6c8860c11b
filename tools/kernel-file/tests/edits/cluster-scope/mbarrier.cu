//! Threads write into another block's shared memory, and arrive at an mbarrier there: both sides must have the
//! scope of the cluster. Where no scope is written, `.cta` holds by the PTX ISA; but public code relies on more.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch mbarrier(in, out, n) grid = n / 64, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void __cluster_dims__(2, 1, 1) mbarrier(const int* in, int* out, int n) {
    __shared__ int s[64];
    __shared__ unsigned long long full;
    int t = threadIdx.x, i = blockIdx.x * 64 + t, other = 1 - blockIdx.x % 2;
    if (t == 0) {
        INIT(&full, 64);
        INIT_FENCE();
    }
    CLUSTER_SYNC(); //- barrier,mbarrier,race //+ CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT();
    SET_AT(&s[t], other, in[i]);
    ARRIVE_AT(".release.cluster", &full, other); //= race: ARRIVE_AT(".relaxed.cluster", &full, other); //= race: ARRIVE_AT(".release.cta", &full, other); //+ ARRIVE_AT("", &full, other); //+ FENCE("cluster"); ARRIVE_AT(".relaxed.cluster", &full, other); //= race: FENCE("cta"); ARRIVE_AT(".relaxed.cluster", &full, other); //= race: ARRIVE_AT(".relaxed.cluster", &full, other); FENCE("cluster"); //- deadlock
    WAIT_IN(".acquire.cluster", &full, 0); //= race: WAIT_IN(".relaxed.cluster", &full, 0); //= race: WAIT_IN(".acquire.cta", &full, 0); //+ WAIT_IN("", &full, 0); //+ WAIT_IN(".relaxed.cluster", &full, 0); FENCE("cluster"); //= race: WAIT_IN(".relaxed.cluster", &full, 0); FENCE("cta"); //- race
    out[i] = s[63 - t];
    CLUSTER_SYNC(); //+ 
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 128 * 128 + 127 - i % 128]; }
