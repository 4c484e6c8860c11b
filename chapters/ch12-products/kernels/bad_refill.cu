//! A buffer that is filled again too early. There is a barrier for the whole block, but at the wrong place: after
//! it all threads know that the piece is there. That they have read it, thread 0 does not know when it has the
//! engine copy the next piece to the same place.
//!
//! The barrier belongs behind the read. With producer and consumer warps an mbarrier takes its place, at which the
//! consumers arrive when they have read.
//@ let pieces = 4
//@ input  in: int[n * pieces * 128] = lcg256
//@ output out: int[n * pieces * 128] = poison
//@ launch mirror(in, out, pieces) grid = n, block = 128
//@ needs sm_90
//@ test 1, 3
//@ page 2
//@ catch async

#include "hopper.cuh"

const unsigned int SIZE = 128;  // numbers in a piece

/// Announces the bytes of a piece, and has the engine copy them.
__device__ void fill(u64* full, int* tile, const int* from) {
    unsigned int bytes = SIZE * sizeof(int);
    expect(full, bytes);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "  //~ async
        "[%0], [%1], %2, [%3];" ::"r"(address(tile)),
        "l"(from), "r"(bytes), "r"(address(full))
        : "memory");
}

extern "C" __global__ void mirror(const int* in, int* out, unsigned int pieces) {
    __shared__ __align__(16) int tile[2][SIZE];
    __shared__ u64 full[2];
    unsigned int t = threadIdx.x;
    in += blockIdx.x * pieces * SIZE;
    out += blockIdx.x * pieces * SIZE;

    if (t == 0) {
        init(&full[0], 1);
        init(&full[1], 1);
        init_done();
        fill(&full[0], tile[0], in);
        fill(&full[1], tile[1], in + SIZE);
    }
    __syncthreads();  // the mbarriers are there to be waited at
    for (unsigned int k = 0; k < pieces; k++) {
        unsigned int s = k % 2;
        wait(&full[s], k / 2 % 2);
        __syncthreads();
        out[k * SIZE + t] = tile[s][SIZE - 1 - t];  //~ async
        if (t == 0 && k + 2 < pieces)
            fill(&full[s], tile[s], in + (k + 2) * SIZE);
    }
}

/// Each piece backwards.
__host__ __device__ int expected(const int* in, unsigned int i) {
    return in[i / 128 * 128 + 127 - i % 128];
}
