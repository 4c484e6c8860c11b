//! What one operation costs. Each thread takes 256 steps, and each step waits for the one before:
//! some operation, then `x * 5 + 1`. Operation 0 does nothing, so the others are compared with it:
//!
//! | `op` | before the multiply |
//! | --- | --- |
//! | 0 | nothing |
//! | 1 | `x & (d - 1)` |
//! | 2 | `x % 32` |
//! | 3 | `x % 10` |
//! | 4 | `x % d`, unsigned |
//! | 5 | `x % d`, signed |
//! | 6 | `x % (d + x % 2)`: a divisor that is new in each step |
//!
//! `clock64()` reads the multiprocessor's own clock before and after.
//@ input  start: unsigned int[n] = lcg256
//@ vary op = 0, 1, 2, 3, 4, 5, 6
//@ let d = 32
//@ let five = 5
//@ output out: unsigned int[n] = poison
//@ scratch cycles: long long[n] = zero
//@ launch chain(start, out, cycles, n, op, d, five) grid = (n + 127) / 128, block = 128
//@ test 1, 32, 33, 127, 128, 129, 1021
//@ page 1024
//@ measure 2^22
//@ bytes 8 * n

template <unsigned int OP>
__host__ __device__ unsigned int operation(unsigned int x, unsigned int d) {
    if (OP == 1)
        return x & (d - 1);
    if (OP == 2)
        return x % 32;
    if (OP == 3)
        return x % 10;
    if (OP == 4)
        return x % d;
    if (OP == 5)
        return (int)x % (int)d;
    if (OP == 6)
        return x % (d + (x & 1));
    return x;
}

template <unsigned int OP>
__host__ __device__ unsigned int steps(
    unsigned int x, unsigned int d, unsigned int five) {
#pragma unroll 32
    for (unsigned int k = 0; k < 256; k++)
        x = operation<OP>(x, d) * five + 1;
    return x;
}

__host__ __device__ unsigned int all_steps(
    unsigned int x, unsigned int op, unsigned int d, unsigned int five) {
    switch (op) {
        case 1: return steps<1>(x, d, five);
        case 2: return steps<2>(x, d, five);
        case 3: return steps<3>(x, d, five);
        case 4: return steps<4>(x, d, five);
        case 5: return steps<5>(x, d, five);
        case 6: return steps<6>(x, d, five);
        default: return steps<0>(x, d, five);
    }
}

extern "C" __global__ void chain(
    const unsigned int* start, unsigned int* out, long long* cycles,
    unsigned int n, unsigned int op, unsigned int d, unsigned int five) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    unsigned int x = start[i];
    long long begin = clock64();
    x = all_steps(x, op, d, five);
    long long end = clock64();
    out[i] = x;
    cycles[i] = end - begin;
}

/// The same steps.
__host__ __device__ unsigned int expected(
    const unsigned int* start, unsigned int op, unsigned int d, unsigned int five,
    unsigned int i) {
    return all_steps(start[i], op, d, five);
}
