//! Without registers in between. `cp.async` copies from global to shared memory: no register holds the words
//! in flight, and no thread waits for them until the step that needs them. So a step can be twice as deep as
//! before, and there are fewer steps and barriers. The words of `a` are copied one at a time, since they are
//! transposed on the way.
//!
//! `cp.async.wait_all` waits for the copies of this thread alone. Only after the barrier have the copies of
//! all threads arrived. The same barrier says that the other buffer is free, so the next copies begin after
//! it.
//!
//! Look at: the registers, beside those of the rung before.
//@ let m = (n + 127) / 128 * 128
//@ input  a: float[m * m] = frac
//@ input  b: float[m * m] = frac2
//@ output c: float[m * m] = poison
//@ launch matmul(a, b, c, m) grid = (m / 128, m / 128), block = 256
//@ test 1, 129, 256
//@ page 128
//@ measure 2048, 4096, 8192
//@ bytes 12 * m * m
//@ flops 2 * m * m * m
//@ tolerance abs 1e-3 rel 1e-4
//@ needs sm_80

const unsigned int SIDE = 128;  // of a block's tile
const unsigned int DEPTH = 16;  // how much of k at a time
const unsigned int MINE = 8;    // rows and columns of a thread
const unsigned int DOWN = 32;   // from its first four rows to the others
const unsigned int RIGHT = 16;  // and columns

/// Four words at once; `at` is a multiple of 16 bytes.
__device__ float4 four(const float* at) {
    return *reinterpret_cast<const float4*>(at);
}

/// What a block needs of both factors for one step. `a` is transposed; four words more in each row
/// put the words of a column into different banks.
struct Tiles {
    float a[DEPTH][SIDE + 4];
    float b[DEPTH][SIDE];
};

/// Begins to copy one word, or four.
__device__ void copy(float* to, const float* from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     (unsigned int)__cvta_generic_to_shared(to)),
                 "l"(from));
}

__device__ void copy4(float* to, const float* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (unsigned int)__cvta_generic_to_shared(to)),
                 "l"(from));
}

/// Waits for all copies of this thread.
__device__ void arrived() { asm volatile("cp.async.wait_all;" ::: "memory"); }

extern "C" __global__ void __launch_bounds__(256) matmul(
    const float* a, const float* b, float* c, unsigned int m) {
    __shared__ __align__(16) Tiles tiles[2];
    unsigned int t = threadIdx.x;
    unsigned int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    // A warp's part is 64 by 32, its lanes stand 8 by 4.
    unsigned int warp = t / 32, lane = t % 32;
    unsigned int row = warp / 4 * 64 + lane / 4 * 4;
    unsigned int col = warp % 4 * 32 + lane % 4 * 4;

    // Where this thread's next words are.
    const float* next_a = &a[(top + t / 8) * m + t % 8];
    const float* next_b = &b[t / 32 * m + left + t % 32 * 4];
    auto begin = [&](unsigned int step) {
        Tiles& to = tiles[step % 2];
#pragma unroll
        for (unsigned int i = 0; i < SIDE; i += 32)
#pragma unroll
            for (unsigned int k = 0; k < DEPTH; k += 8)
                copy(&to.a[t % 8 + k][t / 8 + i], next_a + i * m + k);
#pragma unroll
        for (unsigned int k = 0; k < DEPTH; k += 8)
            copy4(&to.b[t / 32 + k][t % 32 * 4], next_b + k * m);
        next_a += DEPTH;
        next_b += DEPTH * m;
    };

    float sum[MINE][MINE] = {};
    begin(0);
    for (unsigned int step = 0; step < m / DEPTH; step++) {
        arrived();
        __syncthreads();
        if (step + 1 < m / DEPTH)
            begin(step + 1);
        const Tiles& now = tiles[step % 2];
#pragma unroll
        for (unsigned int k = 0; k < DEPTH; k++) {
            __align__(16) float down[MINE], right[MINE];
#pragma unroll
            for (unsigned int i = 0; i < MINE; i += 4) {
                *reinterpret_cast<float4*>(&down[i]) =
                    four(&now.a[k][row + i / 4 * DOWN]);
                *reinterpret_cast<float4*>(&right[i]) =
                    four(&now.b[k][col + i / 4 * RIGHT]);
            }
#pragma unroll
            for (unsigned int r = 0; r < MINE; r++)
#pragma unroll
                for (unsigned int s = 0; s < MINE; s++)
                    sum[r][s] += down[r] * right[s];
        }
    }

#pragma unroll
    for (unsigned int r = 0; r < MINE; r++)
#pragma unroll
        for (unsigned int s = 0; s < MINE; s += 4) {
            unsigned int y = top + row + r / 4 * DOWN + r % 4;
            unsigned int x = left + col + s / 4 * RIGHT;
            *reinterpret_cast<float4*>(&c[y * m + x]) = make_float4(
                sum[r][s], sum[r][s + 1], sum[r][s + 2], sum[r][s + 3]);
        }
}

/// Row i / m of a times column i % m of b.
__host__ __device__ float expected(
    const float* a, const float* b, unsigned int m, unsigned int i) {
    unsigned int row = i / m, col = i % m;
    double sum = 0;
    for (unsigned int k = 0; k < m; k++)
        sum += (double)a[row * m + k] * b[k * m + col];
    return (float)sum;
}
