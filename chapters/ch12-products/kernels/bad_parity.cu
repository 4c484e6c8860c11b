//! Two buffers, each with an mbarrier. A buffer is filled several times, and each filling is one phase of its
//! mbarrier. This kernel waits for parity 0 every time, which is right for the first filling only.
//!
//! At the second, phase 0 is over and phase 1 has begun. If its bytes have not arrived, the wait for parity 0
//! returns at once, and the threads read what was there before. If they have arrived, phase 2 has begun, and its
//! parity is 0 again: the threads wait for a filling that never comes. Piece k needs parity `k / 2 % 2`.
//@ let pieces = 4
//@ input  in: int[n * pieces * 128] = lcg256
//@ output out: int[n * pieces * 128] = poison
//@ launch mirror(in, out, pieces) grid = n, block = 128
//@ needs sm_90
//@ test 1, 3
//@ page 2
//@ catch deadlock

#include "hopper.cuh"

const unsigned int SIZE = 128;  // numbers in a piece

/// Announces the bytes of a piece, and has the engine copy them.
__device__ void fill(u64* full, int* tile, const int* from) {
    unsigned int bytes = SIZE * sizeof(int);
    expect(full, bytes);
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1], %2, [%3];" ::"r"(address(tile)),
        "l"(from), "r"(bytes), "r"(address(full))
        : "memory");
}

/// Until the phase of this parity is over.
__device__ void wait_for(u64* full, unsigned int parity) {
    unsigned int at = address(full), done;
    do {
        asm volatile(
            "{\n.reg .pred p;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"  //~ deadlock
            "selp.u32 %0, 1, 0, p;\n}\n"
            : "=r"(done)
            : "r"(at), "r"(parity)
            : "memory");
    } while (!done);
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
        wait_for(&full[s], 0);
        out[k * SIZE + t] = tile[s][SIZE - 1 - t];
        __syncthreads();  // all have read the buffer
        if (t == 0 && k + 2 < pieces)
            fill(&full[s], tile[s], in + (k + 2) * SIZE);
    }
}

/// Each piece backwards.
__host__ __device__ int expected(const int* in, unsigned int i) {
    return in[i / 128 * 128 + 127 - i % 128];
}
