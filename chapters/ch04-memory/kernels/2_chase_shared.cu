//! The same in shared memory. The cells hold indices here, because a shared load adds base and index by
//! itself.
//@ input   order: unsigned int[n] = lcg256
//@ output  end: unsigned int[1] = poison
//@ scratch cycles: long long[1] = poison
//@ launch chase(order, end, cycles, 64) grid = 1, block = 1
//@ test 1024, 1025, 2000
//@ page 1024

extern "C" __global__ void chase(
    const unsigned int* order, unsigned int* end, long long* cycles,
    unsigned int hops) {
    __shared__ unsigned int chain[1024];
    for (unsigned int k = 0; k < 1024; k++)
        chain[k] = order[k];

    unsigned int at = 0;
    long long start = clock64();
#pragma unroll 16
    for (unsigned int k = 0; k < hops; k++)
        at = chain[at];
    end[0] = at;
    long long stop = clock64();

    cycles[0] = stop - start;
}

/// Where 64 hops lead.
__host__ __device__ unsigned int expected(
    const unsigned int* order, unsigned int i) {
    unsigned int at = 0;
    for (unsigned int k = 0; k < 64; k++)
        at = order[at];
    return at;
}
