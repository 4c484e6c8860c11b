//! A thread polls a flag behind which another block has written, and has the words copied: through another
//! proxy than the one in which it polled.
//! The pattern of https://github.com/deepseek-ai/DeepEP/pull/642.
//@ input in: int[n] = iota
//@ scratch data: int[n] = zero
//@ scratch flag: int[1] = zero
//@ output out: int[n] = poison
//@ launch published_polled_flag(in, data, flag, out) grid = 2, block = 128
//@ test 128
//@ page 128
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void published_polled_flag(const int* in, int* data, int* flag, int* out) {
    __shared__ __align__(128) int s[128];
    __shared__ unsigned long long full;
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = in[127 - t]; //~ async
        __threadfence();
        __syncthreads();
        if (t == 0) atomicExch(flag, 1);
        return;
    }
    if (t == 0) {
        INIT(&full, 1);
        INIT_FENCE();
        while (*(volatile int*)flag == 0) {}
        FIX(asm volatile("fence.proxy.async.global;" ::: "memory");)
        EXPECT(&full, 512);
        LOAD(s, data, 512, &full); //~ async
    }
    __syncthreads();
    WAIT(&full, 0);
    out[t] = s[127 - t];
}
