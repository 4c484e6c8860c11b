//! Two stages by the primitives of <cuda_pipeline.h>: the wait leaves one group too many.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch primitives(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include <cuda_pipeline.h>
__global__ void primitives(const int* in, int* out, int n) {
    __shared__ int s[256];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], in + t, 4);
    __pipeline_commit();
    for (int base = 0, stage = 0; base < n; base += 128, stage ^= 128) {
        if (base + 128 < n) __pipeline_memcpy_async(&s[(stage ^ 128) + t], in + base + 128 + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(EITHER((1), (2)));
        __syncthreads();
        out[base + t] = s[stage + 127 - t]; //~ async
        __syncthreads();
    }
}
