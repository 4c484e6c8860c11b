//! The same work in four pieces. A piece is a range: where it begins, and how many numbers it has. The
//! pieces are independent, so each could wait for its own copy and for nothing else, in a stream of its
//! own.
//!
//! The last piece has what is left, which may be less than the others have, or nothing.
//!
//! Look at: the instructions, nearly the same as in one piece. Dividing costs launches, not work.
//@ output data: float[n] = frac
//@ let rounds = 64
//@ let piece = (n + 3) / 4
//@ let blocks = (piece + 255) / 256
//@ launch work(data, 0, min(piece, n), rounds) grid = blocks, block = 256
//@ launch work(data, min(piece, n), min(2 * piece, n), rounds) grid = blocks, block = 256
//@ launch work(data, min(2 * piece, n), min(3 * piece, n), rounds) grid = blocks, block = 256
//@ launch work(data, min(3 * piece, n), n, rounds) grid = blocks, block = 256
//@ test 1, 2, 3, 5, 31, 32, 33, 1021, 1024, 4097
//@ page 2^12
//@ measure 2^24
//@ bytes 8 * n
//@ flops 2 * n * rounds
//@ tolerance abs 1e-6 rel 1e-6

/// One number through all its rounds.
__host__ __device__ float turn(float x, int rounds) {
    for (int r = 0; r < rounds; r++)
        x = x * 0.5f + 0.25f;
    return x;
}

/// The numbers from `first` to before `end`.
extern "C" __global__ void work(
    float* data, unsigned int first, unsigned int end, int rounds) {
    unsigned int i = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end)
        data[i] = turn(data[i], rounds);
}

__host__ __device__ float expected(
    const float* data, int rounds, unsigned int i) {
    return turn(data[i], rounds);
}
