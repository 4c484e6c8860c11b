//! Boxes of tensor maps go through shared memory: copied in, changed, copied out.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ map im: in (64, 8) box (32, 2)
//@ map om: out (64, 8) box (32, 2)
//@ launch boxes(im, om, n) grid = 1, block = 64
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void boxes(const __grid_constant__ TensorMap in, const __grid_constant__ TensorMap out, int n) {
    __shared__ __align__(128) int s[64];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(&full, 1);
        INIT_FENCE(); //- async
    }
    __syncthreads(); //- mbarrier
    for (int i = 0; i < 8; i++) {
        if (t == 0) { EXPECT(&full, 256); LOAD_BOX(s, in, i % 2 * 32, i / 2 * 2, &full); } //= deadlock: if (t == 0) { EXPECT(&full, 260); LOAD_BOX(s, in, i % 2 * 32, i / 2 * 2, &full); } //= deadlock: if (t == 0) { EXPECT(&full, 256); } //= deadlock,mbarrier: if (t == 0) { LOAD_BOX(s, in, i % 2 * 32, i / 2 * 2, &full); } //+ if (t == 0) { EXPECT(&full, 256); LOAD_BOX(s, in, i % 2 * 32, i / 2 * 2 - 1, &full); } //= bounds: if (t == 0) { EXPECT(&full, 256); LOAD_BOX(s + 1, in, i % 2 * 32, i / 2 * 2, &full); }
        WAIT(&full, i % 2); //- async //= async: WAIT(&full, (i + 1) % 2); //= async,deadlock: WAIT(&full, 0);
        s[t] += 1; //+ 
        PROXY_FENCE(); //- async //= async: __threadfence();
        __syncthreads(); //- async
        if (t == 0) { STORE_BOX(out, i % 2 * 32, i / 2 * 2, s); BULK_COMMIT(); BULK_WAIT_READ(0); } //= async: if (t == 0) { STORE_BOX(out, i % 2 * 32, i / 2 * 2, s); BULK_COMMIT(); } //= async: if (t == 0) { STORE_BOX(out, i % 2 * 32, i / 2 * 2, s); BULK_WAIT_READ(0); } //= bounds: if (t == 0) { STORE_BOX(out, i % 2 * 32, i / 2 * 2, s + 4); BULK_COMMIT(); BULK_WAIT_READ(0); } //+ if (t == 0) { STORE_BOX(out, i % 2 * 32, i / 2 * 2, s); BULK_COMMIT(); BULK_WAIT(0); }
        __syncthreads();
    }
}
__host__ __device__ int expected(const int* in, int i) { return in[i] + 1; }
