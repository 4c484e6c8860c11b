//! # Which part is mine?
//!
//! An array of `n` numbers is processed in five pieces, so that each piece can have a stream of its own. The kernel is
//! launched five times, with `piece` from 0 to 4. Together the launches must process each number exactly once.
//!
//! Compute where the piece begins (`first`) and where it ends (`end`, the index after its last number). Each launch has
//! enough threads for a fifth of the array, rounded up. `n` may be any number from 1 on, also less than five. A piece
//! may be empty.
//!
//! ## Hint
//! With `n` = 12, a fifth is 2.4 numbers. Which pieces do you get if you round down, and which numbers are missing?
//!
//! ## Hint
//! Round the length of a piece up: `(n + pieces - 1) / pieces`. Then the last pieces may be too long, or begin after
//! the end of the array.
//!
//! ## Hint
//! The end is the smaller one of `first + length` and `n`.
//!
//! ## Why it works
//! Rounding up gives at least `n` places in all, and the minimum cuts off what is too much. A piece that begins behind
//! the end has no `i` with `first <= i < end`, so all its threads do nothing.
//!
//! Another right answer divides evenly: from `n * piece / pieces` to `n * (piece + 1) / pieces`. The end of one piece is
//! computed as the beginning of the next, so nothing is missing or done twice. *Global load requests* are nearly those
//! of a single launch: dividing costs launches, not traffic.
//@ exercise write, 10 minutes
//@ output data: int[n] = lcg256
//@ let blocks = ((n + 4) / 5 + 63) / 64
//@ launch work(data, n, 0, 5) grid = blocks, block = 64
//@ launch work(data, n, 1, 5) grid = blocks, block = 64
//@ launch work(data, n, 2, 5) grid = blocks, block = 64
//@ launch work(data, n, 3, 5) grid = blocks, block = 64
//@ launch work(data, n, 4, 5) grid = blocks, block = 64
//@ test 1, 3, 4, 5, 6, 31, 32, 33, 319, 320, 321, 1021
//@ page 4096

extern "C" __global__ void work(int* data, int n, int piece, int pieces) {
    //@ begin
    int length = (n + pieces - 1) / pieces;
    int first = piece * length;
    int end = min(first + length, n);
    //@ starter
    //| int first = 0;
    //| int end = n;
    //@ wrong result: the length is rounded down, so the last numbers belong to no piece
    //| int length = n / pieces;
    //| int first = piece * length;
    //| int end = first + length;
    //@ wrong bounds: the last pieces are longer than what is left
    //| int length = (n + pieces - 1) / pieces;
    //| int first = piece * length;
    //| int end = first + length;
    //@ wrong result: the end is part of the next piece, too, so that number is processed twice
    //| int length = (n + pieces - 1) / pieces;
    //| int first = piece * length;
    //| int end = min(first + length + 1, n);
    //@ wrong result: the last piece takes all that is left, which is more than a launch has threads for
    //| int length = n / pieces;
    //| int first = piece * length;
    //| int end = piece == pieces - 1 ? n : first + length;
    //@ end
    int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end)
        data[i] = 3 * data[i] + 1;
}

__host__ __device__ int expected(const int* data, int i) {
    return 3 * data[i] + 1;
}
