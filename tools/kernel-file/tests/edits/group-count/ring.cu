//! A ring of three stages: `cp.async` fills one while another is used.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch ring(in, out, n) grid = 1, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void ring(const int* in, int* out, int n) {
    __shared__ int s[3][64];
    int t = threadIdx.x, steps = n / 64;
    for (int i = 0; i < 2; i++) {
        COPY(&s[i][t], in + i * 64 + t);
        COMMIT(); //- async
    }
    for (int i = 0; i < steps; i++) {
        WAIT_GROUP(1); //- async //= async: WAIT_GROUP(2); //+ WAIT_GROUP(0); //+ WAIT_ALL();
        __syncthreads(); //- async //= async: __syncwarp();
        out[i * 64 + t] = s[i % 3][63 - t]; //= async: out[i * 64 + t] = s[(i + 1) % 3][63 - t];
        if (i + 2 < steps) COPY(&s[(i + 2) % 3][t], in + (i + 2) * 64 + t); //= async: if (i + 2 < steps) COPY(&s[i % 3][t], in + (i + 2) * 64 + t);
        COMMIT(); //- async //= async: if (i + 2 < steps) COMMIT();
    }
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 64 + 63 - i % 64]; }
