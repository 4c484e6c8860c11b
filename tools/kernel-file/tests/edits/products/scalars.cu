//! The sums are variables of their own, and a function adds to them.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch scalars(in, out) grid = 1, block = 128
//@ test 512
//@ page 512

#include "async.cuh"
__device__ void add(int& a, int& b, int& c, int& d, const int* s) {
    asm volatile("{ .reg .pred p; setp.eq.b32 p, 0, 0; "
                 "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%0, %1, %2, %3}, %4, %4, p; }"
                 : "+r"(a), "+r"(b), "+r"(c), "+r"(d)
                 : "l"((unsigned long long)(PLACE(s) >> 4) | 8ull << 16 | 16ull << 32) : "memory");
}
__global__ void scalars(const int* in, int* out) {
    __shared__ __align__(128) int s[512];
    int t = threadIdx.x, a = 0, b = 0, c = 0, d = 0;
    for (int i = 0; i < 4; i++) s[i * 128 + t] = in[i * 128 + t];
    PROXY_FENCE(); //- async
    __syncthreads(); //- async
    for (int round = 0; round < 2; round++) {
        MULTIPLY_FENCE(); //- async //+ if (round == 0) MULTIPLY_FENCE();
        add(a, b, c, d, s); //= async: add(a, b, c, d, s); d += 1;
        MULTIPLY_COMMIT(); //- async
        MULTIPLY_WAIT(0); //= async: MULTIPLY_WAIT(0); b += 1; add(a, b, c, d, s); MULTIPLY_COMMIT();
    }
    MULTIPLY_WAIT(0); //+
    out[t * 4] = a ? 0 : 0; //= async: add(a, b, c, d, s); out[t * 4] = a ? 0 : 0;
    out[t * 4 + 1] = b ? 1 : 1;
    out[t * 4 + 2] = c ? 2 : 2;
    out[t * 4 + 3] = d ? 3 : 3;
}
__host__ __device__ int expected(const int* in, int i) { return i % 4; }
