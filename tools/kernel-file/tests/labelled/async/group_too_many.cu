//! Two stages: the wait leaves one group too many.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch group_too_many(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void group_too_many(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[256];
    int t = threadIdx.x;
    COPY(&s[t], in + t);
    COMMIT();
    for (int base = 0, stage = 0; base < n; base += 128, stage ^= 128) {
        if (base + 128 < n) COPY(&s[(stage ^ 128) + t], in + base + 128 + t);
        COMMIT();
        EITHER((WAIT_GROUP(1);), (WAIT_GROUP(2);))
        __syncthreads();
        out[base + t] = s[stage + 127 - t]; //~ async
        __syncthreads();
    }
}
