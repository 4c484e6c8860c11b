//! The compute warps release a stage without committing and awaiting the products that read it.
//! The pattern of https://github.com/NVIDIA/Fuser/issues/3561.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_release(in, out, n) grid = 1, block = 160
//@ test 1536
//@ page 1536
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void published_release(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[2][512];
    __shared__ unsigned long long full[2], empty[2];
    int t = threadIdx.x, steps = 6, d[4] = {0, 0, 0, 0};
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            INIT(&full[i], 1);
            INIT(&empty[i], 128);
        }
        INIT_FENCE();
    }
    __syncthreads();
    if (t == 128)
        for (int i = 0; i < steps; i++) {
            WAIT(&empty[i % 2], (i / 2 + 1) % 2);
            EXPECT(&full[i % 2], 2048);
            LOAD(s[i % 2], in + i % 3 * 512, 2048, &full[i % 2]); //~ async
        }
    if (t < 128) {
        for (int i = 0; i < steps; i++) {
            WAIT(&full[i % 2], i / 2 % 2);
            MULTIPLY_FENCE();
            MULTIPLY(d, s[i % 2]); //~ async
            FIX(MULTIPLY_COMMIT(); MULTIPLY_WAIT(0);)
            ARRIVE(&empty[i % 2]);
        }
        MULTIPLY_COMMIT();
        MULTIPLY_WAIT(0);
        for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i];
    }
}
