//! The engine adds a tile of shared memory to an array.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch add(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void add(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i += 64) out[i + t] = 0;
    asm volatile("fence.proxy.async;" ::: "memory"); //- async
    for (int i = 0; i < n / 64; i++) {
        s[t] = in[i * 64 + t];
        PROXY_FENCE(); //- async
        __syncthreads(); //- async
        if (t == 0) { REDUCE(out + i * 64, s, 256); BULK_COMMIT(); BULK_WAIT_READ(0); } //= async: if (t == 0) { REDUCE(out + i * 64, s, 256); BULK_COMMIT(); } //= async: if (t == 0) { REDUCE(out + i * 64, s, 256); BULK_WAIT_READ(0); } //+ if (t == 0) { REDUCE(out + i * 64, s, 256); BULK_COMMIT(); BULK_WAIT(0); } //+ if (t == 0) { REDUCE(out, s, 256); BULK_COMMIT(); BULK_WAIT_READ(0); }
        __syncthreads(); //- async //= async: __syncwarp();
    }
}
__host__ __device__ int expected(const int* in, int i) { return in[i]; }
