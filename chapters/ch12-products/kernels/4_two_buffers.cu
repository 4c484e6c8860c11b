//! Double buffering in shared memory. In the source the words of the next tile are loaded into registers before the
//! work on this one. They are stored to the other buffer, which no thread reads at the time. So one barrier per step
//! is enough: after it the new tile is complete, and the old one is no longer used.
//!
//! Look at: the barriers, of which one per step is left; and the registers.
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

const unsigned int SIDE = 128;  // of a block's tile
const unsigned int DEPTH = 8;   // how much of k at a time
const unsigned int MINE = 8;    // rows and columns of a thread
const unsigned int DOWN = 32;   // from its first four rows to the others
const unsigned int RIGHT = 16;  // and columns

/// Four words at once; `at` is a multiple of 16 bytes.
__device__ float4 four(const float* at) {
    return *reinterpret_cast<const float4*>(at);
}

/// What a block needs of both factors for one step.
struct Tiles {
    float a[DEPTH][SIDE];  // transposed
    float b[DEPTH][SIDE];
};

/// Puts down what this thread has brought.
__device__ void put(Tiles& to, float4 of_a, float4 of_b) {
    unsigned int t = threadIdx.x;
    to.a[t % 2 * 4 + 0][t / 2] = of_a.x;
    to.a[t % 2 * 4 + 1][t / 2] = of_a.y;
    to.a[t % 2 * 4 + 2][t / 2] = of_a.z;
    to.a[t % 2 * 4 + 3][t / 2] = of_a.w;
    *reinterpret_cast<float4*>(&to.b[t / 32][t % 32 * 4]) = of_b;
}

extern "C" __global__ void __launch_bounds__(256) matmul(
    const float* a, const float* b, float* c, unsigned int m) {
    __shared__ __align__(16) Tiles tiles[2];
    unsigned int t = threadIdx.x;
    unsigned int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    // A warp's part is 64 by 32, its lanes stand 8 by 4.
    unsigned int warp = t / 32, lane = t % 32;
    unsigned int row = warp / 4 * 64 + lane / 4 * 4;
    unsigned int col = warp % 4 * 32 + lane % 4 * 4;

    // Where this thread's next vectors are.
    const float* next_a = &a[(top + t / 2) * m + t % 2 * 4];
    const float* next_b = &b[t / 32 * m + left + t % 32 * 4];

    float sum[MINE][MINE] = {};
    put(tiles[0], four(next_a), four(next_b));
    __syncthreads();
    for (unsigned int step = 0; step < m / DEPTH; step++) {
        const Tiles& now = tiles[step % 2];
        bool more = step + 1 < m / DEPTH;
        float4 of_a, of_b;
        if (more) {
            of_a = four(next_a += DEPTH);
            of_b = four(next_b += DEPTH * m);
        }
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
        if (more)
            put(tiles[(step + 1) % 2], of_a, of_b);
        __syncthreads();
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
