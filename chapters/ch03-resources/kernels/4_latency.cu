//! Chains of instructions of one kind, each of which needs the result of the one before it, and the multiprocessor's
//! clock before and after. There is one warp, so that nothing hides the latency: cycles divided by instructions are
//! the latency of one.
//!
//! A chain of 128 is executed `rounds` times. The loop keeps the compiler from moving instructions past the clock,
//! and the results are stored, so that it cannot remove them. (The simulator's clock counts the instructions that the
//! warp has issued. It has no time.)
//@ input   x: float[1] = frac
//@ input   y: double[1] = frac
//@ input   z: unsigned int[1] = lcg256
//@ output  floats: float[4] = poison
//@ output  doubles: double[1] = poison
//@ output  words: unsigned int[2] = poison
//@ scratch cycles: long long[7] = poison
//@ scratch pause: long long[1] = poison
//@ launch latency(x, y, z, floats, doubles, words, cycles, 2) grid = 1, block = 32
//@ launch barrier(pause) grid = 1, block = 1024
//@ test 1
//@ page 1
//@ tolerance rel 1e-6

struct FloatAdd {
    __host__ __device__ float step(float x, float y) const {
        return x + y;
    }
};
struct FloatFma {
    __host__ __device__ float step(float x, float y) const {
        return fmaf(x, 0.75f, y);
    }
};
struct FloatDivide {
    __host__ __device__ float step(float x, float y) const {
        return y / x;
    }
};
struct FloatRoot {
    __host__ __device__ float step(float x, float y) const {
        return sqrtf(x);
    }
};
struct DoubleFma {
    __host__ __device__ double step(double x, double y) const {
        return fma(x, 0.75, y);
    }
};
struct IntegerMad {
    __host__ __device__ unsigned int step(unsigned int x, unsigned int y) const {
        return x * y + y;
    }
};
struct Shuffle {
    __device__ unsigned int step(unsigned int x, unsigned int y) const {
        return __shfl_xor_sync(0xffffffff, x, 1);
    }
};

/// 128 * `rounds` steps from the number at `in`, and the cycles that they take.
template <typename Op, typename T>
__device__ void timed(
    const T* in, T* out, long long* cycles, unsigned int rounds) {
    Op op;
    T y = in[0] + 3;
    T x = y + threadIdx.x;
    long long start = clock64();
#pragma unroll 1
    for (unsigned int round = 0; round < rounds; round++) {
#pragma unroll
        for (int k = 0; k < 128; k++)
            x = op.step(x, y);
    }
    long long stop = clock64();
    if (threadIdx.x == 0) {
        out[0] = x;
        cycles[0] = stop - start;
    }
}

extern "C" __global__ void latency(
    const float* x, const double* y, const unsigned int* z, float* floats,
    double* doubles, unsigned int* words, long long* cycles,
    unsigned int rounds) {
    timed<FloatAdd>(x, floats, cycles, rounds);
    timed<FloatFma>(x, floats + 1, cycles + 1, rounds);
    timed<FloatDivide>(x, floats + 2, cycles + 2, rounds);
    timed<FloatRoot>(x, floats + 3, cycles + 3, rounds);
    timed<DoubleFma>(y, doubles, cycles + 4, rounds);
    timed<IntegerMad>(z, words, cycles + 5, rounds);
    timed<Shuffle>(z, words + 1, cycles + 6, rounds);
}

/// 128 barriers of the whole block.
extern "C" __global__ void barrier(long long* cycles) {
    long long start = clock64();
#pragma unroll
    for (int k = 0; k < 128; k++)
        __syncthreads();
    long long stop = clock64();
    if (threadIdx.x == 0)
        cycles[0] = stop - start;
}

/// What lane 0 has after two rounds.
template <typename Op, typename T>
__host__ __device__ T after(T from) {
    Op op;
    T y = from + 3, x = y;
    for (int k = 0; k < 2 * 128; k++)
        x = op.step(x, y);
    return x;
}

__host__ __device__ float expected_floats(const float* x, unsigned int i) {
    return i == 0 ? after<FloatAdd>(x[0]) : i == 1 ? after<FloatFma>(x[0])
         : i == 2 ? after<FloatDivide>(x[0]) : after<FloatRoot>(x[0]);
}

__host__ __device__ double expected_doubles(const double* y, unsigned int i) {
    return after<DoubleFma>(y[0]);
}

/// An even number of swaps leaves a lane what it had.
__host__ __device__ unsigned int expected_words(
    const unsigned int* z, unsigned int i) {
    return i == 0 ? after<IntegerMad>(z[0]) : z[0] + 3;
}
