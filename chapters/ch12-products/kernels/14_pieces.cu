//! The access pattern of `ldmatrix` in plain CUDA C++. A tile of 64 rows of 128 bytes is stored by rows, in pieces of
//! 16 bytes, and is read by columns: eight lanes, eight rows, the same piece of each. All of these are in the same
//! four banks.
//!
//! Look at: *shared load wavefronts*.
//@ input  in: bfloat16[64 * 64 * n] = frac
//@ output out: bfloat16[64 * 64 * n] = poison
//@ launch turn(in, out) grid = n, block = 128
//@ test 1, 3
//@ page 4

#include <cuda_bf16.h>

const unsigned int ROWS = 64;   // of a tile
const unsigned int PIECES = 8;  // of 16 bytes, in a row of 64 bfloats

/// Where piece `piece` of row `row` stands in shared memory.
__device__ unsigned int place(unsigned int row, unsigned int piece) {
    return row * PIECES + piece;
}

extern "C" __global__ void turn(const int4* in, int4* out) {
    __shared__ int4 tile[ROWS * PIECES];
    unsigned int t = threadIdx.x;
    in += blockIdx.x * ROWS * PIECES;
    out += blockIdx.x * ROWS * PIECES;

    // It comes by rows, as the TMA brings it, ...
    for (unsigned int i = t; i < ROWS * PIECES; i += 128)
        tile[place(i / PIECES, i % PIECES)] = in[i];
    __syncthreads();
    // ... and is read by columns of pieces, as `ldmatrix` reads it.
    for (unsigned int i = t; i < ROWS * PIECES; i += 128)
        out[i] = tile[place(i % ROWS, i / ROWS)];
}

/// Column i / (8 rows) of pieces, row by row.
__host__ __device__ __nv_bfloat16 expected(
    const __nv_bfloat16* in, unsigned int i) {
    unsigned int tile = i / 4096, piece = i % 4096 / 8;
    return in[tile * 4096 + piece % 64 * 64 + piece / 64 * 8 + i % 8];
}
