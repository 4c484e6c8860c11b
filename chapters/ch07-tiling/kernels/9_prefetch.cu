//! Each thread issues its loads for the next tile before it works on this one. So they can arrive while it
//! computes.
//!
//! Look at: the time. The work is the same; the loads begin earlier.
//@ input  a: float[n * n] = frac
//@ input  b: float[n * n] = frac2
//@ output c: float[n * n] = poison
//@ launch matmul(a, b, c, n) grid = ((n + 127) / 128, (n + 127) / 128), block = 256
//@ test 1, 5, 16, 17, 33, 64, 65, 127, 130
//@ page 128
//@ measure 1024, 2048, 4096
//@ bytes 12 * n * n
//@ flops 2 * n * n * n
//@ tolerance abs 1e-3
//@ equivalent `<=` for `<` in `for (unsigned int first = 0; first < n; first += DEPTH) {`: where the depth is a whole number of tiles, one more tile of zeros is added

/// Element (row, col); zero beyond the edge.
__device__ float at(
    const float* x, unsigned int row, unsigned int col, unsigned int n) {
    return row < n && col < n ? x[row * n + col] : 0.0f;
}

/// Elements col to col + 3 of a row: in one load, where rows begin at multiples of
/// 16 bytes.
__device__ float4 at4(
    const float* x, unsigned int row, unsigned int col, unsigned int n) {
    if (n % 4 == 0 && row < n && col < n)
        return *reinterpret_cast<const float4*>(x + row * n + col);
    return make_float4(
        at(x, row, col, n), at(x, row, col + 1, n),
        at(x, row, col + 2, n), at(x, row, col + 3, n));
}

/// Stores four elements of a row, those that exist.
__device__ void put4(
    float* x, unsigned int row, unsigned int col, unsigned int n, const float* v) {
    if (n % 4 == 0 && row < n && col < n) {
        *reinterpret_cast<float4*>(x + row * n + col) =
            make_float4(v[0], v[1], v[2], v[3]);
        return;
    }
    for (unsigned int i = 0; i < 4; i++)
        if (row < n && col + i < n)
            x[row * n + col + i] = v[i];
}

const unsigned int SIDE = 128;  // of a block's tile
const unsigned int DEPTH = 8;   // how much of k at a time
const unsigned int MINE = 8;    // rows and columns per thread

extern "C" __global__ void __launch_bounds__(256) matmul(
    const float* a, const float* b, float* c, unsigned int n) {
    __shared__ __align__(16) float as[DEPTH][SIDE];  // the tile of a, transposed
    __shared__ __align__(16) float bs[DEPTH][SIDE];
    unsigned int t = threadIdx.x;
    unsigned int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    unsigned int row = t / 16 * 4, col = t % 16 * 4;  // in the tile
    const unsigned int STEP = SIDE / 2;  // from its first four to the others

    float sum[MINE][MINE] = {};
    float4 next_a = at4(a, top + t / 2, t % 2 * 4, n);
    float4 next_b = at4(b, t / 32, left + t % 32 * 4, n);
    for (unsigned int first = 0; first < n; first += DEPTH) {
        float4 v = next_a;
        as[t % 2 * 4 + 0][t / 2] = v.x;
        as[t % 2 * 4 + 1][t / 2] = v.y;
        as[t % 2 * 4 + 2][t / 2] = v.z;
        as[t % 2 * 4 + 3][t / 2] = v.w;
        *reinterpret_cast<float4*>(&bs[t / 32][t % 32 * 4]) = next_b;
        __syncthreads();
        next_a = at4(a, top + t / 2, first + DEPTH + t % 2 * 4, n);
        next_b = at4(b, first + DEPTH + t / 32, left + t % 32 * 4, n);
#pragma unroll
        for (unsigned int k = 0; k < DEPTH; k++) {
            __align__(16) float down[MINE], right[MINE];
#pragma unroll
            for (unsigned int i = 0; i < MINE; i += 4) {
                *reinterpret_cast<float4*>(&down[i]) =
                    *reinterpret_cast<const float4*>(&as[k][row + i / 4 * STEP]);
                *reinterpret_cast<float4*>(&right[i]) =
                    *reinterpret_cast<const float4*>(&bs[k][col + i / 4 * STEP]);
            }
#pragma unroll
            for (unsigned int r = 0; r < MINE; r++)
#pragma unroll
                for (unsigned int s = 0; s < MINE; s++)
                    sum[r][s] += down[r] * right[s];
        }
        __syncthreads();
    }

#pragma unroll
    for (unsigned int r = 0; r < MINE; r++)
#pragma unroll
        for (unsigned int s = 0; s < MINE; s += 4)
            put4(
                c, top + row + r / 4 * STEP + r % 4, left + col + s / 4 * STEP, n,
                &sum[r][s]);
}

/// Row i / n of a times column i % n of b.
__host__ __device__ float expected(
    const float* a, const float* b, unsigned int n, unsigned int i) {
    unsigned int row = i / n, col = i % n;
    double sum = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += (double)a[row * n + k] * b[k * n + col];
    return (float)sum;
}
