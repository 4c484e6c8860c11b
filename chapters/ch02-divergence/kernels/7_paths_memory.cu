//! The same 32 paths, but each thread reads one number, does two steps, and writes one number. As long as a warp
//! takes few paths, other things than its arithmetic set the time.
//!
//! Look at: from how many paths on the line of `shift` = 0 leaves the other.
//@ vary paths = 1, 2, 4, 8, 16, 32
//@ vary shift = 0, 5
//@ input  in: unsigned int[n] = iota
//@ output out: unsigned int[n] = poison
//@ launch walk(in, out, paths, shift, 2, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 257, 1021, 4096
//@ page 1024
//@ measure 2^26
//@ bytes 8 * n

__host__ __device__ unsigned int walk_along(
    unsigned int path, unsigned int steps, unsigned int x) {
#define PATH(p)                                       \
    case p:                                           \
        for (unsigned int k = 0; k < steps; k++)      \
            x = (x * (1664525u + 8 * p)) ^ (x >> 15); \
        break;
#define FOUR(p) PATH(p) PATH(p + 1) PATH(p + 2) PATH(p + 3)
    switch (path) {
        FOUR(0) FOUR(4) FOUR(8) FOUR(12) FOUR(16) FOUR(20) FOUR(24) FOUR(28)
    }
    return x;
}

extern "C" __global__ void walk(
    const unsigned int* in, unsigned int* out, unsigned int paths,
    unsigned int shift, unsigned int steps, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = walk_along((i >> shift) & (paths - 1), steps, in[i]);
}

__host__ __device__ unsigned int expected(
    const unsigned int* in, unsigned int paths, unsigned int shift,
    unsigned int i) {
    return walk_along((i >> shift) & (paths - 1), 2, in[i]);
}
