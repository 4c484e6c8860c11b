//! Each block reads the shared memory of its neighbour, which therefore may not leave early.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch read(in, out, n) grid = n / 64, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void __cluster_dims__(2, 1, 1) read(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t, other = 1 - blockIdx.x % 2, v;
    s[t] = in[i];
    CLUSTER_SYNC(); //- barrier,race //= barrier,race: __syncthreads(); //= race: CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT(); //+ __syncthreads(); CLUSTER_SYNC();
    GET_AT(v, &s[63 - t], other); //+ v = s[63 - t]; GET_AT(v, &s[63 - t], other); //= barrier: GET_AT(v, &s[63 - t], other); CLUSTER_ARRIVE(); //= race: GET_AT(v, &s[63 - t], other); s[t] = v;
    CLUSTER_SYNC(); //- barrier //= barrier: __syncthreads(); //= barrier: CLUSTER_ARRIVE(); //= barrier: if (other) CLUSTER_SYNC(); //= barrier: __threadfence(); //+ CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT(); //+ CLUSTER_SYNC(); s[t] = 0; //= race: CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT(); s[t] = v;
    out[i] = v; //= barrier: out[i] = v; GET_AT(v, &s[t], other);
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 128 * 128 + 127 - i % 128]; }
