//! A chain of loads. Each thread loads a number, which says where to load next. There are 4,096
//! threads, a single warp per multiprocessor of a large GPU, and each has one load in flight at a
//! time.
//!
//! Look at: *sectors per load*, and the bytes per second.
//@ input  data: int[n] = lcg256
//@ output out: unsigned int[4096] = poison
//@ let steps = 64
//@ launch walk(data, out, n, steps) grid = 128, block = 32
//@ test 1, 31, 32, 33, 1021, 65536
//@ page 2^24
//@ measure 2^26
//@ bytes 4 * 4096 * steps

/// Where a walk from `place` leads after so many steps.
__host__ __device__ unsigned int follow(
    const int* data, unsigned int n, unsigned int place,
    unsigned int steps) {
    for (unsigned int s = 0; s < steps; s++) {
        place = place * 1664525u % n;
        place += (unsigned int)data[place];
    }
    return place;
}

extern "C" __global__ void walk(
    const int* data, unsigned int* out, unsigned int n,
    unsigned int steps) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = follow(data, n, i, steps);
}

__host__ __device__ unsigned int expected(
    const int* data, unsigned int n, unsigned int steps, unsigned int i) {
    return follow(data, n, i, steps);
}
