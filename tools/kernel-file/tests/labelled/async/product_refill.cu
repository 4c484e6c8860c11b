//! One thread releases the buffer for its warp group, before the product of the warp group is waited for.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch product_refill(in, out, n) grid = 1, block = 160
//@ test 1536
//@ page 1536
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void product_refill(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[512];
    __shared__ unsigned long long full, empty;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full, 1);
        INIT(&empty, 1);
        INIT_FENCE();
    }
    __syncthreads();
    if (t >= 128) {
        for (int r = 0; r < n / 512 && t == 128; r++) {
            if (r > 0) WAIT(&empty, (r - 1) % 2);
            EXPECT(&full, 2048);
            LOAD(s, in + r * 512, 2048, &full); //~ async
        }
    } else {
        for (int r = 0; r < n / 512; r++) {
            int d[4];
            WAIT(&full, r % 2);
            PRODUCT(d, s);
            FIX(PRODUCT_WAIT();)
            if (t == 0) ARRIVE(&empty);
            PRODUCT_WAIT();
            for (int i = 0; i < 4; i++) out[r * 512 + t * 4 + i] = d[i];
        }
    }
}
