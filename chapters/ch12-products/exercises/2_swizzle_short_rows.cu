//! # A swizzle for rows of 64 bytes
//!
//! A tile has 64 rows of four *pieces*. A piece is 16 bytes, so a row is 64 bytes. The tile is stored by rows and read by
//! columns of pieces, as `ldmatrix` reads it. The function `place` says where piece `piece` of row `row` stands in
//! shared memory, in pieces from 0 to 255. There is no room for padding.
//!
//! The function is right as it is. Its loads have bank conflicts. Find places without conflicts, for the stores and for
//! the loads.
//!
//! ## Hint
//! The banks together are 128 bytes, which are eight pieces. A load of 16 bytes per lane is served for eight lanes at a
//! time. Which of the eight groups of four banks do the rows 0 to 7 of a column use now?
//!
//! ## Hint
//! Two rows fill all banks. The rows 0 and 1 of a column do not meet; rows 0 and 2 do. So which rows must have the same
//! order of pieces, and which ones another?
//!
//! ## Hint
//! The order must change with every second row: use `row / 2 % 4` in an exclusive or with the piece.
//!
//! ## Why it works
//! Row `row` begins in the lower or the upper half of the banks, as `row` is even or odd. Within its half, the piece of a
//! column is in one of four groups, `piece ^ row / 2 % 4`. Eight rows in sequence have both halves and all four groups,
//! so eight lanes use eight different groups, and *shared load conflicts* are zero.
//!
//! An exclusive or with a number below four only changes the order within a row, so no two pieces meet, and the stores
//! by rows have no conflicts either. The TMA calls this the swizzle of 64 bytes.
//@ exercise improve, 20 minutes
//@ gate shared_load_conflicts = 0
//@ gate shared_store_conflicts = 0
//@ input in: int[1024 * n] = lcg256
//@ output out: int[1024 * n] = poison
//@ launch turn(in, out) grid = n, block = 128
//@ test 1, 2, 3, 5
//@ page 4
//@ equivalent `(row + 1)` for `row` in `return row * 4 + (piece ^ row / 2 % 4);`: behind the exclusive or, the even rows and the odd ones have four groups as well

/// Where piece `piece` (0 to 3) of row `row` (0 to 63) stands in shared memory.
__device__ int place(int row, int piece) {
    //@ begin
    return row * 4 + (piece ^ row / 2 % 4);
    //@ starter
    //| return row * 4 + piece;
    //@ wrong gate shared_load_conflicts: the order changes with every row, so rows 0 and 4 meet
    //| return row * 4 + (piece ^ row % 4);
    //@ wrong gate shared_store_conflicts: by columns the loads have no conflicts, but the stores do
    //| return piece * 64 + row;
    //@ wrong gate shared_load_conflicts: the order changes with every fourth row, so rows 0 and 2 meet
    //| return row * 4 + (piece ^ row / 4 % 4);
    //@ wrong bounds: the exclusive or is with the whole of row / 2, which leaves the row
    //| return row * 4 + (piece ^ row / 2) + row;
    //@ wrong bounds: with a fifth piece per row, the tile is too small
    //| return row * 5 + piece;
    //@ right: a rotation
    //| return row * 4 + (piece + row / 2) % 4;
    //@ right: the swizzle of the TMA
    //| int address = row * 64 + piece * 16;
    //| return (address ^ (address >> 3 & 0x30)) / 16;
    //@ right: a table of the shifts
    //| const int shift[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    //| return 4 * row + (piece ^ shift[row % 8]);
    //@ end
}

extern "C" __global__ void turn(const int4* in, int4* out) {
    __shared__ int4 tile[256];
    int t = threadIdx.x;
    in += blockIdx.x * 256;
    out += blockIdx.x * 256;
    for (int i = t; i < 256; i += 128)
        tile[place(i / 4, i % 4)] = in[i];
    __syncthreads();
    for (int i = t; i < 256; i += 128)
        out[i] = tile[place(i % 64, i / 64)];
}

/// Word i % 4 of the pieces, column by column.
__host__ __device__ int expected(const int* in, int i) {
    int tile = i / 1024, piece = i % 1024 / 4;
    return in[tile * 1024 + piece % 64 * 16 + piece / 64 * 4 + i % 4];
}
