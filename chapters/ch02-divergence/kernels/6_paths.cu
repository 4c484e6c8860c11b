//! How does the cost grow with the number of paths? There are 32 of them, all of the same length and no two
//! the same. `paths` of them are taken: thread i takes number `(i >> shift) % paths`. With `shift` = 0
//! neighbouring lanes take different paths. With 5, 32 consecutive threads, and so a whole warp, take the
//! same.
//!
//! Look at: *active lanes* and the time, one line per `shift`.
//@ vary paths = 1, 2, 4, 8, 16, 32
//@ vary shift = 0, 5
//@ output out: unsigned int[n] = poison
//@ launch walk(out, paths, shift, 128, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 257, 1021, 4096
//@ page 1024
//@ measure 2^22

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
    unsigned int* out, unsigned int paths, unsigned int shift,
    unsigned int steps, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = walk_along((i >> shift) & (paths - 1), steps, i);
}

__host__ __device__ unsigned int expected(
    unsigned int paths, unsigned int shift, unsigned int i) {
    return walk_along((i >> shift) & (paths - 1), 128, i);
}
