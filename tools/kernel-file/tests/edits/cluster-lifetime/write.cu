//! Each block writes into the shared memory of the next block of its cluster.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch write(in, out, n) grid = n / 64, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void __cluster_dims__(4, 1, 1) write(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t, next = (blockIdx.x + 1) % 4;
    CLUSTER_SYNC(); //- barrier //= barrier: __syncthreads(); //= barrier: __threadfence(); //= barrier: CLUSTER_ARRIVE(); //= barrier: CLUSTER_WAIT(); //= barrier: if (t < 32) CLUSTER_SYNC(); //+ CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT(); //+ CLUSTER_ARRIVE(); int early = in[i]; CLUSTER_WAIT(); //+ CLUSTER_SYNC(); CLUSTER_SYNC();
    SET_AT(&s[t], next, in[i]); //+ SET_AT(&s[t], next, 0); SET_AT(&s[t], next, in[i]); //= race: SET_AT(&s[t], next, in[i]); s[t] = 0; //= race: SET_AT(&s[t], 0, in[i]);
    CLUSTER_SYNC(); //- barrier,race //= race,barrier: __syncthreads(); //= race,barrier: __threadfence(); //= race: CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT(); //= race: CLUSTER_ARRIVE(); //= barrier: CLUSTER_WAIT(); //+ CLUSTER_ARRIVE(); CLUSTER_WAIT(); //+ __syncthreads(); CLUSTER_SYNC(); //= barrier: CLUSTER_ARRIVE(); CLUSTER_SYNC();
    out[i] = s[t]; //+ out[i] = s[t]; CLUSTER_SYNC();
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 256 * 256 + (i + 192) % 256]; }
