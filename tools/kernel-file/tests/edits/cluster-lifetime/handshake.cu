//! A block reads another's shared memory and says so at an mbarrier there, for which that block waits.
//!
//! With a wrong count, a warp polls until its budget is used up under some schedules: states are compared
//! in order to find a livelock under Volta's alone.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch handshake(in, out, n) grid = n / 64, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void __cluster_dims__(2, 1, 1) handshake(const int* in, int* out, int n) {
    __shared__ int s[64];
    __shared__ unsigned long long read;
    int t = threadIdx.x, i = blockIdx.x * 64 + t, other = 1 - blockIdx.x % 2, v;
    if (t == 0) {
        INIT(&read, 64); //- mbarrier //% deadlock: INIT(&read, 65); //% mbarrier,deadlock: INIT(&read, 32);
        INIT_FENCE(); //+ INIT_FENCE(); INIT_FENCE();
    }
    s[t] = in[i];
    CLUSTER_SYNC(); //- barrier,race,mbarrier //= barrier,race,mbarrier: __syncthreads();
    GET_AT(v, &s[63 - t], other);
    ARRIVE_AT("", &read, other); //- deadlock //= deadlock: if (t) ARRIVE_AT("", &read, other); //= deadlock,barrier: ARRIVE(&read); //+ ARRIVE_AT(".release.cluster", &read, other); //= mbarrier,deadlock: ARRIVE_AT("", &read, other); ARRIVE_AT("", &read, other); //= bounds,mbarrier: ARRIVE_AT("", &read, 5);
    WAIT(&read, 0); //- barrier //= barrier,deadlock: WAIT(&read, 1); //+ if (t == 0) WAIT(&read, 0); //+ WAIT_IN(".acquire.cluster", &read, 0); //+ WAIT(&read, 0); s[t] = 0; //= race: s[t] = 0; WAIT(&read, 0);
    out[i] = v;
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 128 * 128 + 127 - i % 128]; }
