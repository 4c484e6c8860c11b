//! Two warps write, two others read: full and empty are named barriers.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch handover(in, out, n) grid = 1, block = 128
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void handover(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 64)
        for (int i = 0; i < n / 64; i++) {
            if (i > 0) BAR_SYNC(2, 128); //- race,barrier //= race,deadlock,barrier: if (i > 1) BAR_SYNC(2, 128);
            s[t] = in[i * 64 + t];
            BAR_ARRIVE(1, 128); //- deadlock,barrier //+ BAR_SYNC(1, 128);
        }
    else
        for (int i = 0; i < n / 64; i++) {
            BAR_SYNC(1, 128); //- race,deadlock,barrier //= race,deadlock,barrier: BAR_ARRIVE(1, 128);
            out[i * 64 + t - 64] = s[127 - t];
            if (i + 1 < n / 64) BAR_ARRIVE(2, 128); //- deadlock,barrier //+ if (i + 1 < n / 64) BAR_SYNC(2, 128);
        }
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 64 + 63 - i % 64]; }
