//! Block 0 of a cluster writes into the shared memory of block 1, and sets a flag there.
//@ input in: int[n] = iota
//@ output out: int[n / 2] = poison
//@ launch flag(in, out, n) grid = n / 64, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void __cluster_dims__(2, 1, 1) flag(const int* in, int* out, int n) {
    __shared__ int s[64], set;
    int t = threadIdx.x, i = blockIdx.x * 64 + t, rank = blockIdx.x % 2;
    if (t == 0) set = 0;
    CLUSTER_SYNC(); //- barrier,race //= barrier,race: __syncthreads(); //= race: CLUSTER_ARRIVE_RELAXED(); CLUSTER_WAIT();
    if (rank == 0) {
        SET_AT(&s[t], 1, in[i]);
        __threadfence(); __syncthreads(); //- race //= race: __syncthreads(); //= race: __threadfence_block(); __syncthreads(); //= race: FENCE("cta"); __syncthreads(); //= race: __threadfence(); //+ FENCE("cluster"); __syncthreads(); //+ FENCE("gpu"); __syncthreads(); //+ __syncthreads(); if (t == 0) __threadfence(); //= race: __syncthreads(); if (t == 0) FENCE("cta"); //= race: __syncthreads(); if (t == 32) __threadfence();
        if (t == 0) ADD_AT("cluster", &set, 1, 1); //= race: if (t == 0) ADD_AT("cta", &set, 1, 1); //+ if (t == 0) ADD_AT("gpu", &set, 1, 1);
    } else {
        if (t == 0) while (atomicAdd(&set, 0) == 0) {} //- race //+ while (atomicAdd(&set, 0) == 0) {} //= race: if (t == 0) while (atomicAdd_block(&set, 0) == 0) {}
        __syncthreads(); //- race //= race: __syncwarp();
        out[blockIdx.x / 2 * 64 + t] = s[63 - t];
    }
    CLUSTER_SYNC(); //+ //= barrier,race: if (rank == 0 && t == 0) ADD_AT("cluster", &s[0], 1, 1);
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 128 + 63 - i % 64]; }
