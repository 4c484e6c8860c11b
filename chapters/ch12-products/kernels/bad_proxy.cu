//! The threads store their results in shared memory, wait for each other, and one of them has the TMA
//! write the piece to global memory. The barrier orders the threads, but the engine is not a thread: it accesses
//! memory through the *async proxy*. Each thread that has stored must execute `fence.proxy.async` before the
//! barrier, or the engine may read what was there before.
//@ input  in: int[n * 128] = lcg256
//@ output out: int[n * 128] = poison
//@ launch twice(in, out) grid = n, block = 128
//@ needs sm_90
//@ test 1, 3
//@ page 2
//@ catch async

#include "hopper.cuh"

const unsigned int SIZE = 128;  // numbers in a piece

/// Has the engine copy bytes from shared to global memory, and waits until it has.
__device__ void store(int* to, const int* tile, unsigned int bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"  //~ async
                 ::"l"(to), "r"(address(tile)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

extern "C" __global__ void twice(const int* in, int* out) {
    __shared__ __align__(16) int tile[SIZE];
    unsigned int t = threadIdx.x;
    tile[t] = 2 * in[blockIdx.x * SIZE + t];  //~ async
    __syncthreads();
    if (t == 0)
        store(out + blockIdx.x * SIZE, tile, sizeof(tile));
}

__host__ __device__ int expected(const int* in, unsigned int i) {
    return 2 * in[i];
}
