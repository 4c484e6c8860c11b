//! The next tile is copied while this one is used: two buffers.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch prefetch(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void prefetch(const int* in, int* out, int n) {
    __shared__ int s[2][64];
    int t = threadIdx.x, steps = n / 64;
    COPY(&s[0][t], in + t); //+ s[0][t] = in[t];
    COMMIT(); //+ COMMIT(); COMMIT();
    for (int i = 0; i < steps; i++) {
        if (i + 1 < steps) COPY(&s[(i + 1) % 2][t], in + (i + 1) * 64 + t); //= async: if (i + 1 < steps) COPY(&s[i % 2][t], in + (i + 1) * 64 + t);
        COMMIT(); //- async
        WAIT_GROUP(1); //- async //= async: WAIT_GROUP(2); //+ WAIT_GROUP(0);
        __syncthreads(); //- async
        out[i * 64 + t] = s[i % 2][63 - t]; //+ out[i * 64 + t] = s[i % 2][t];
        __syncthreads(); //- async //= async: __syncwarp();
    }
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 64 + 63 - i % 64]; }
