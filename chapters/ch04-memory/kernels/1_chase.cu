//! One thread follows a chain: each cell holds the address of the next. No load can begin before the one before it
//! has ended, so the cycles of the walk divided by its loads are the *latency* of one load, from the memory that the
//! chain fits into.
//!
//! The first `warm` loads are not timed; they bring the chain into the caches. `end` is stored before the clock is
//! read again, so that the last load is waited for, too. (On the simulator the clock counts instructions that the
//! warp has issued. It has no time.)
//@ input   order: unsigned int[n] = lcg256
//@ scratch cells: unsigned long long[n] = poison
//@ output  end: unsigned int[1] = poison
//@ scratch cycles: long long[1] = poison
//@ launch link(order, cells, n) grid = (n + 255) / 256, block = 256
//@ launch chase(cells, end, cycles, 16, 64) grid = 1, block = 1
//@ test 256, 257, 1000
//@ page 1024

struct Cell {
    const Cell* next;
};

/// Makes addresses of places.
extern "C" __global__ void link(
    const unsigned int* order, Cell* cells, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        cells[i].next = cells + order[i];
}

extern "C" __global__ void chase(
    const Cell* cells, unsigned int* end, long long* cycles, unsigned int warm,
    unsigned int hops) {
    const Cell* at = cells;
    for (unsigned int k = 0; k < warm; k++)
        at = at->next;

    long long start = clock64();
#pragma unroll 16
    for (unsigned int k = 0; k < hops; k++)
        at = at->next;
    end[0] = (unsigned int)(at - cells);
    long long stop = clock64();

    cycles[0] = stop - start;
}

/// Where 80 hops lead.
__host__ __device__ unsigned int expected(
    const unsigned int* order, unsigned int i) {
    unsigned int at = 0;
    for (unsigned int k = 0; k < 80; k++)
        at = order[at];
    return at;
}
