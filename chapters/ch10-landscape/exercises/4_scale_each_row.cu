//! # Rows in eight bits, with a scale
//!
//! A matrix of `n` rows of 96 floats is to be stored with eight bits per number. Each row has a scale of its own: its
//! largest absolute value. Write this largest value to `largest[row]`, and each number as
//! `quantise(number, largest of its row)` to `out`. The function `quantise` is given.
//!
//! One warp takes one row, so that a block of 128 threads has four rows. All 32 lanes of a warp take part.
//!
//! The goal: three load requests per row, so each number is loaded only once.
//!
//! ## Hint
//! Each lane has three numbers of the row. Which ones, so that the lanes load neighbouring numbers?
//!
//! ## Hint
//! Every lane needs the largest value of the whole row. Which kind of shuffle leaves the result in *all* lanes?
//!
//! ## Hint
//! Load `a`, `b` and `c` from the places `lane`, `lane + 32` and `lane + 64` into variables. Take the maximum of
//! `fabsf` of the three. Five times `fmaxf` with `__shfl_xor_sync`, distances 16 to 1. Then store three numbers from
//! the variables, and lane 0 stores the largest.
//!
//! ## Why it works
//! The scale is known only after the whole row was read, but the row need not be read again: 96 numbers are three
//! registers per lane. *Global load requests* stay at three per row. A maximum with `__shfl_xor_sync` leaves the result
//! in every lane, so neither shared memory nor a barrier is needed.
//!
//! With a scale per row, one large number only costs the precision of its own row. Libraries use a scale per tensor, per
//! row or per group of 32 or so numbers. The smaller the group, the better the precision, and the more scales there are
//! to store.
//@ exercise write, 45 minutes
//@ gate global_load_requests <= 3 * n
//@ input in: float[96 * n] = frac
//@ output out: char[96 * n] = poison
//@ output largest: float[n] = poison
//@ launch quantise_rows(in, out, largest, n) grid = (n + 3) / 4, block = 128
//@ test 1, 2, 3, 4, 5, 31, 32, 33
//@ page 64
//@ equivalent `!=` for `==` in `if (lane == 0)`: all lanes have the largest value, and any of them may store it
//@ equivalent `(true)` for `(lane == 0)` in `if (lane == 0)`: all lanes know the largest number, and store the same

/// A number as a multiple of largest / 127.
__host__ __device__ char quantise(float number, float largest) {
    return largest > 0 ? (char)rintf(number * (127.0f / largest)) : 0;
}

extern "C" __global__ void quantise_rows(const float* in, char* out, float* largest, int n) {
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    //@ begin
    if (row >= n)
        return;
    const float* from = in + row * 96;
    float a = from[lane], b = from[lane + 32], c = from[lane + 64];
    float most = fmaxf(fabsf(a), fmaxf(fabsf(b), fabsf(c)));
    for (int distance = 16; distance > 0; distance /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, distance));
    out[row * 96 + lane] = quantise(a, most);
    out[row * 96 + lane + 32] = quantise(b, most);
    out[row * 96 + lane + 64] = quantise(c, most);
    if (lane == 0)
        largest[row] = most;
    //@ starter
    //| // Find the largest absolute value of the row. Then quantise its numbers.
    //| if (row < n && lane == 0)
    //|     largest[row] = 0;
    //@ wrong gate global_load_requests: the row is loaded a second time
    //| if (row >= n)
    //|     return;
    //| float most = 0;
    //| for (int k = lane; k < 96; k += 32)
    //|     most = fmaxf(most, fabsf(in[row * 96 + k]));
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, distance));
    //| for (int k = lane; k < 96; k += 32)
    //|     out[row * 96 + k] = quantise(in[row * 96 + k], most);
    //| if (lane == 0)
    //|     largest[row] = most;
    //@ wrong result: only lane 0 has the largest value of the whole row
    //| if (row >= n)
    //|     return;
    //| const float* from = in + row * 96;
    //| float a = from[lane], b = from[lane + 32], c = from[lane + 64];
    //| float most = fmaxf(fabsf(a), fmaxf(fabsf(b), fabsf(c)));
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     most = fmaxf(most, __shfl_down_sync(0xffffffff, most, distance));
    //| out[row * 96 + lane] = quantise(a, most);
    //| out[row * 96 + lane + 32] = quantise(b, most);
    //| out[row * 96 + lane + 64] = quantise(c, most);
    //| if (lane == 0)
    //|     largest[row] = most;
    //@ wrong result: the largest value is taken, not the largest absolute value
    //| if (row >= n)
    //|     return;
    //| const float* from = in + row * 96;
    //| float a = from[lane], b = from[lane + 32], c = from[lane + 64];
    //| float most = fmaxf(a, fmaxf(b, c));
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, distance));
    //| out[row * 96 + lane] = quantise(a, most);
    //| out[row * 96 + lane + 32] = quantise(b, most);
    //| out[row * 96 + lane + 64] = quantise(c, most);
    //| if (lane == 0)
    //|     largest[row] = most;
    //@ wrong result: the maximum of each lane's three numbers is used, not that of the row
    //| if (row >= n)
    //|     return;
    //| const float* from = in + row * 96;
    //| float a = from[lane], b = from[lane + 32], c = from[lane + 64];
    //| float most = fmaxf(fabsf(a), fmaxf(fabsf(b), fabsf(c)));
    //| out[row * 96 + lane] = quantise(a, most);
    //| out[row * 96 + lane + 32] = quantise(b, most);
    //| out[row * 96 + lane + 64] = quantise(c, most);
    //| if (lane == 0)
    //|     largest[row] = most;
    //@ wrong bounds: warps without a row load beyond the matrix
    //| const float* from = in + row * 96;
    //| float a = from[lane], b = from[lane + 32], c = from[lane + 64];
    //| float most = fmaxf(fabsf(a), fmaxf(fabsf(b), fabsf(c)));
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, distance));
    //| if (row < n) {
    //|     out[row * 96 + lane] = quantise(a, most);
    //|     out[row * 96 + lane + 32] = quantise(b, most);
    //|     out[row * 96 + lane + 64] = quantise(c, most);
    //|     if (lane == 0)
    //|         largest[row] = most;
    //| }
    //@ right: the maximum of the bits, as integers
    //| if (row < n) {
    //|     const float* r = in + row * 96;
    //|     float a = r[lane], b = r[lane + 32], c = r[lane + 64];
    //|     unsigned int m = __float_as_uint(fmaxf(fabsf(a), fmaxf(fabsf(b), fabsf(c))));
    //|     float most = __uint_as_float(__reduce_max_sync(0xffffffffu, m));
    //|     char* o = out + row * 96;
    //|     o[lane] = quantise(a, most);
    //|     o[lane + 32] = quantise(b, most);
    //|     o[lane + 64] = quantise(c, most);
    //|     if (lane == 0)
    //|         largest[row] = most;
    //| }
    //@ right: three adjacent numbers per lane
    //| if (row >= n)
    //|     return;
    //| int k = row * 96 + 3 * lane;
    //| float a = in[k], b = in[k + 1], c = in[k + 2];
    //| float most = fmaxf(fabsf(a), fmaxf(fabsf(b), fabsf(c)));
    //| for (int d = 1; d < 32; d *= 2)
    //|     most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
    //| out[k] = quantise(a, most);
    //| out[k + 1] = quantise(b, most);
    //| out[k + 2] = quantise(c, most);
    //| if (lane == 31)
    //|     largest[row] = most;
    //@ right: four numbers per lane, in 24 lanes
    //| if (row >= n)
    //|     return;
    //| float4 v = make_float4(0, 0, 0, 0);
    //| if (lane < 24)
    //|     v = ((const float4*)(in + row * 96))[lane];
    //| float most = fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w)));
    //| for (int d = 16; d > 0; d >>= 1)
    //|     most = fmaxf(most, __shfl_down_sync(0xffffffffu, most, d));
    //| most = __shfl_sync(0xffffffffu, most, 0);
    //| if (lane < 24)
    //|     ((char4*)(out + row * 96))[lane] =
    //|         make_char4(quantise(v.x, most), quantise(v.y, most), quantise(v.z, most), quantise(v.w, most));
    //| if (lane == 0)
    //|     largest[row] = most;
    //@ end
}

/// The largest absolute value of row i.
__host__ __device__ float expected_largest(const float* in, int i) {
    float most = 0;
    for (int k = 0; k < 96; k++)
        most = fmaxf(most, fabsf(in[i * 96 + k]));
    return most;
}

/// Number i, with the scale of its row.
__host__ __device__ char expected_out(const float* in, int i) {
    return quantise(in[i], expected_largest(in, i / 96));
}
