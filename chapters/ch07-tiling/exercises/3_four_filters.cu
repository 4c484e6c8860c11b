//! # Fewer loads from shared memory
//!
//! Each of `n` samples is a row of 32 numbers, and there are 32 filters, each a column of a table of 32 × 32. The
//! result is the product: `out[row * 32 + col]` is the sum of `samples[row * 32 + k] * filters[k * 32 + col]`.
//!
//! A block takes 32 samples. Its 32 × 8 threads bring both tables to shared memory, and then each thread computes four
//! results: those of its column in the rows `y`, `y + 8`, `y + 16` and `y + 24`. The kernel is right, but it loads two
//! words from shared memory for each multiply-add. Let a thread keep in registers what it can use four times.
//!
//! The goals: at most 176 shared loads per warp, where the starter has 256; and no more load requests to global memory
//! than it makes.
//!
//! ## Hint
//! The four results of a thread have one column in common. Which of the two words is the same for all four?
//!
//! ## Hint
//! Exchange the two loops: `k` outside, the four rows inside. Then four sums are alive at the same time.
//!
//! ## Hint
//! Take four sums: four variables, or an array of four with unrolled loops, which nvcc keeps in registers, too. For each
//! `k`, copy `b[k][x]` into a variable (a reference is no copy, and loads again at each use), then add
//! `a[y][k] * filter` to the first sum, `a[y + 8][k] * filter` to the second, and so on.
//!
//! ## Why it works
//! One word of the filter serves four rows, so five loads make four multiply-adds: 160 *shared loads* per warp instead
//! of 256. This is a tile in registers, a column of four. Sharing in both directions would save more, since a square
//! of 4 × 4 needs eight words for 16 multiply-adds.
//!
//! *Global load sectors* do not change. The tile in shared memory saves those, and the tile in registers saves the
//! loads from shared memory. They are counted separately, and each has its own limit.
//@ exercise improve, 25 minutes
//@ gate shared_loads <= 8 * 176 * (n / 32)
//@ gate global_load_requests <= 8 * 8 * (n / 32)
//@ input samples: int[32 * n] = lcg256
//@ input filters: int[32 * 32] = lcg256
//@ output out: int[32 * n] = poison
//@ launch filter(samples, filters, out, n) grid = (n + 31) / 32, block = (32, 8)
//@ test 1, 8, 31, 32, 33, 50, 61
//@ page 128

extern "C" __global__ void filter(const int* samples, const int* filters, int* out, int n) {
    __shared__ int a[32][32], b[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    int first = blockIdx.x * 32;  // of the block's samples
    for (int row = y; row < 32; row += 8) {
        a[row][x] = first + row < n ? samples[(first + row) * 32 + x] : 0;
        b[row][x] = filters[row * 32 + x];
    }
    __syncthreads();
    //@ begin
    int sum[4] = {};
    for (int k = 0; k < 32; k++) {
        int filter = b[k][x];
#pragma unroll
        for (int r = 0; r < 4; r++)
            sum[r] += a[y + 8 * r][k] * filter;
    }
#pragma unroll
    for (int r = 0; r < 4; r++)
        if (first + y + 8 * r < n)
            out[(first + y + 8 * r) * 32 + x] = sum[r];
    //@ starter
    //| for (int row = y; row < 32; row += 8) {
    //|     int sum = 0;
    //|     for (int k = 0; k < 32; k++)
    //|         sum += a[row][k] * b[k][x];
    //|     if (first + row < n)
    //|         out[(first + row) * 32 + x] = sum;
    //| }
    //@ wrong gate shared_loads: only two rows share a word of the filter
    //| for (int row = y; row < 32; row += 16) {
    //|     int sum0 = 0, sum1 = 0;
    //|     for (int k = 0; k < 32; k++) {
    //|         int filter = b[k][x];
    //|         sum0 += a[row][k] * filter;
    //|         sum1 += a[row + 8][k] * filter;
    //|     }
    //|     if (first + row < n)
    //|         out[(first + row) * 32 + x] = sum0;
    //|     if (first + row + 8 < n)
    //|         out[(first + row + 8) * 32 + x] = sum1;
    //| }
    //@ wrong gate global_load_requests: the loads were moved from shared memory to global memory
    //| for (int row = y; row < 32; row += 8) {
    //|     int sum = 0;
    //|     for (int k = 0; k < 32; k++)
    //|         sum += a[row][k] * filters[k * 32 + x];
    //|     if (first + row < n)
    //|         out[(first + row) * 32 + x] = sum;
    //| }
    //@ wrong bounds: rows beyond the last sample are stored
    //| int sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
    //| for (int k = 0; k < 32; k++) {
    //|     int filter = b[k][x];
    //|     sum0 += a[y][k] * filter;
    //|     sum1 += a[y + 8][k] * filter;
    //|     sum2 += a[y + 16][k] * filter;
    //|     sum3 += a[y + 24][k] * filter;
    //| }
    //| out[(first + y) * 32 + x] = sum0;
    //| out[(first + y + 8) * 32 + x] = sum1;
    //| out[(first + y + 16) * 32 + x] = sum2;
    //| out[(first + y + 24) * 32 + x] = sum3;
    //@ wrong result: the sums take neighbouring rows, but are stored eight rows apart
    //| int sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
    //| for (int k = 0; k < 32; k++) {
    //|     int filter = b[k][x];
    //|     sum0 += a[4 * y][k] * filter;
    //|     sum1 += a[4 * y + 1][k] * filter;
    //|     sum2 += a[4 * y + 2][k] * filter;
    //|     sum3 += a[4 * y + 3][k] * filter;
    //| }
    //| if (first + y < n)
    //|     out[(first + y) * 32 + x] = sum0;
    //| if (first + y + 8 < n)
    //|     out[(first + y + 8) * 32 + x] = sum1;
    //| if (first + y + 16 < n)
    //|     out[(first + y + 16) * 32 + x] = sum2;
    //| if (first + y + 24 < n)
    //|     out[(first + y + 24) * 32 + x] = sum3;
    //@ right: the sample is exchanged by shuffles
    //| int r0 = a[y][x], r1 = a[y + 8][x], r2 = a[y + 16][x], r3 = a[y + 24][x];
    //| int s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    //| for (int k = 0; k < 32; k++) {
    //|     int f = b[k][x];
    //|     s0 += __shfl_sync(0xffffffffu, r0, k) * f;
    //|     s1 += __shfl_sync(0xffffffffu, r1, k) * f;
    //|     s2 += __shfl_sync(0xffffffffu, r2, k) * f;
    //|     s3 += __shfl_sync(0xffffffffu, r3, k) * f;
    //| }
    //| int s[4] = {s0, s1, s2, s3};
    //| for (int j = 0; j < 4; j++)
    //|     if (first + y + 8 * j < n)
    //|         out[(first + y + 8 * j) * 32 + x] = s[j];
    //@ right: four steps at a time, in arrays
    //| int sum[4] = {};
    //| for (int k0 = 0; k0 < 32; k0 += 4) {
    //|     int f[4], v[4][4];
    //|     for (int k = 0; k < 4; k++)
    //|         f[k] = b[k0 + k][x];
    //|     for (int j = 0; j < 4; j++)
    //|         for (int k = 0; k < 4; k++)
    //|             v[j][k] = a[y + 8 * j][k0 + k];
    //|     for (int j = 0; j < 4; j++)
    //|         for (int k = 0; k < 4; k++)
    //|             sum[j] += v[j][k] * f[k];
    //| }
    //| for (int j = 0; j < 4; j++)
    //|     if (first + y + 8 * j < n)
    //|         out[(first + y + 8 * j) * 32 + x] = sum[j];
    //@ right: a lambda that captures by reference
    //| int s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    //| auto step = [&](int k) {
    //|     int f = b[k][x];
    //|     s0 += a[y][k] * f;
    //|     s1 += a[y + 8][k] * f;
    //|     s2 += a[y + 16][k] * f;
    //|     s3 += a[y + 24][k] * f;
    //| };
    //| for (int k = 0; k < 32; k++)
    //|     step(k);
    //| auto put = [&](int row, int v) {
    //|     if (first + row < n)
    //|         out[(first + row) * 32 + x] = v;
    //| };
    //| put(y, s0);
    //| put(y + 8, s1);
    //| put(y + 16, s2);
    //| put(y + 24, s3);
    //@ end
}

/// Sample i / 32 through filter i % 32.
__host__ __device__ int expected(const int* samples, const int* filters, int i) {
    int sum = 0;
    for (int k = 0; k < 32; k++)
        sum += samples[i / 32 * 32 + k] * filters[k * 32 + i % 32];
    return sum;
}
