//! # A ring of two buffers
//!
//! An array is processed in four pieces. A ring buffer on the device has room for two of them. `bring` stands for the
//! copy to the device, and `work` for the kernel. The host issues them in an order in which a third piece is brought
//! only after the first has been used:
//!
//! ```text
//! bring 0, bring 1, work 0, bring 2, work 1, bring 3, work 2, work 3
//! ```
//!
//! Two functions say where in the ring a piece is, and how many numbers it has. Both have a mistake. Mend them.
//!
//! ## Hint
//! Write down for the pieces 0 to 3 which of the two buffers they should use, and what `start` gives.
//!
//! ## Hint
//! Two pieces that are in the ring at the same time must use different buffers: the even ones the first, the odd ones
//! the second. A buffer begins at a multiple of `length`.
//!
//! ## Hint
//! All pieces have `length` numbers, except at the end of the array: with `n` = 9 the pieces have 3, 3, 3 and 0. How
//! many are left from `piece * length` on? The answer must not be negative.
//!
//! ## Why it works
//! Piece `p` uses buffer `p % 2`, so it overwrites piece `p - 2`, which has been used by then. In a program with
//! streams, each buffer has a stream of its own, and the order within the stream guarantees that.
//!
//! The ring needs half of the memory of the array here, and the same few buffers would do for any number of pieces.
//! *Global load sectors* and *global store sectors* do not depend on the ring.
//@ exercise mend, 15 minutes
//@ let length = (n + 3) / 4
//@ let blocks = (length + 63) / 64
//@ input in: int[n] = lcg256
//@ scratch ring: int[2 * length] = poison
//@ output out: int[n] = poison
//@ launch bring(in, ring, n, length, 0) grid = blocks, block = 64
//@ launch bring(in, ring, n, length, 1) grid = blocks, block = 64
//@ launch work(ring, out, n, length, 0) grid = blocks, block = 64
//@ launch bring(in, ring, n, length, 2) grid = blocks, block = 64
//@ launch work(ring, out, n, length, 1) grid = blocks, block = 64
//@ launch bring(in, ring, n, length, 3) grid = blocks, block = 64
//@ launch work(ring, out, n, length, 2) grid = blocks, block = 64
//@ launch work(ring, out, n, length, 3) grid = blocks, block = 64
//@ test 1, 2, 4, 5, 9, 31, 32, 33, 256, 257, 1021
//@ page 4096

//@ begin
/// Where in the ring the piece begins.
__device__ int start(int piece, int length) {
    return piece % 2 * length;
}

/// How many numbers the piece has.
__device__ int count(int piece, int length, int n) {
    return max(0, min(length, n - piece * length));
}
//@ starter
//| /// Where in the ring the piece begins.
//| __device__ int start(int piece, int length) {
//|     return piece / 2 * length;
//| }
//|
//| /// How many numbers the piece has.
//| __device__ int count(int piece, int length, int n) {
//|     return length;
//| }
//@ wrong bounds: the buffers are right, but the last piece is too long
//| __device__ int start(int piece, int length) {
//|     return piece % 2 * length;
//| }
//| __device__ int count(int piece, int length, int n) {
//|     return length;
//| }
//@ wrong result: pieces 0 and 1 use the same buffer, though both are in the ring at the same time
//| __device__ int start(int piece, int length) {
//|     return piece / 2 * length;
//| }
//| __device__ int count(int piece, int length, int n) {
//|     return max(0, min(length, n - piece * length));
//| }
//@ wrong bounds: the ring has no third and fourth buffer
//| __device__ int start(int piece, int length) {
//|     return piece * length;
//| }
//| __device__ int count(int piece, int length, int n) {
//|     return max(0, min(length, n - piece * length));
//| }
//@ wrong result: the second buffer begins one number after the first, so they overlap
//| __device__ int start(int piece, int length) {
//|     return piece % 2;
//| }
//| __device__ int count(int piece, int length, int n) {
//|     return max(0, min(length, n - piece * length));
//| }
//@ end

/// Brings a piece into the ring.
extern "C" __global__ void bring(const int* in, int* ring, int n, int length, int piece) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count(piece, length, n))
        ring[start(piece, length) + i] = in[piece * length + i];
}

/// Processes a piece that is in the ring.
extern "C" __global__ void work(const int* ring, int* out, int n, int length, int piece) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count(piece, length, n))
        out[piece * length + i] = 3 * ring[start(piece, length) + i] + 1;
}

__host__ __device__ int expected(const int* in, int i) {
    return 3 * in[i] + 1;
}
