//! # The smallest number of a warp
//!
//! For each 32 numbers find the smallest: `out[0]` is the smallest of `in[0]` to `in[31]`, and so on. The numbers are
//! 0 to 255. The last warp may have fewer than 32 of them. A warp takes 32 numbers.
//!
//! Use shuffles. The goals: each number is loaded once, and shared memory is not used.
//!
//! ## Hint
//! It is the sum of a warp with another operation. What must be written instead of `+=`?
//!
//! ## Hint
//! All 32 lanes execute the shuffles. So a lane without a number needs a value that does not change the result. For a
//! sum that is 0. For a minimum?
//!
//! ## Hint
//! Five rounds, with the distances 16, 8, 4, 2 and 1: `least = min(least, __shfl_down_sync(0xffffffff, least,
//! distance));`
//!
//! ## Why it works
//! A minimum is associative and commutative, so it can be computed in any order, as a sum can. Its identity is the
//! largest value that occurs, or any that is larger: `min(x, 255)` is `x` for all our numbers.
//!
//! The values go from register to register: *shuffles* counts five per warp, and there is no shared memory and no
//! barrier. Since compute capability 8.0 one instruction does it for integers, `__reduce_min_sync`.
//@ exercise write, 15 minutes
//@ gate global_load_requests <= (n + 31) / 32
//@ gate shared_stores = 0
//@ input in: int[n] = lcg256
//@ output out: int[(n + 31) / 32] = poison
//@ launch smallest(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 2, 31, 32, 33, 127, 128, 129, 1021
//@ page 4096
//@ equivalent `256` for `255` in `int least = i < n ? in[i] : 255;`: no number is larger than 255

extern "C" __global__ void smallest(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    int least = i < n ? in[i] : 255;
    for (int distance = 16; distance > 0; distance /= 2)
        least = min(least, __shfl_down_sync(0xffffffff, least, distance));
    if (i % 32 == 0 && i < n)
        out[i / 32] = least;
    //@ starter
    //| // Find the smallest number of the 32 lanes. Use __shfl_down_sync.
    //| int least = i < n ? in[i] : 255;
    //| if (i % 32 == 0 && i < n)
    //|     out[i / 32] = least;
    //@ wrong result: a lane without a number takes part with a zero
    //| int least = i < n ? in[i] : 0;
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     least = min(least, __shfl_down_sync(0xffffffff, least, distance));
    //| if (i % 32 == 0 && i < n)
    //|     out[i / 32] = least;
    //@ wrong result: the round with distance 1 is missing
    //| int least = i < n ? in[i] : 255;
    //| for (int distance = 16; distance > 1; distance /= 2)
    //|     least = min(least, __shfl_down_sync(0xffffffff, least, distance));
    //| if (i % 32 == 0 && i < n)
    //|     out[i / 32] = least;
    //@ wrong sync-mask: the lanes without a number do not come to the shuffles
    //| if (i < n) {
    //|     int least = in[i];
    //|     for (int distance = 16; distance > 0; distance /= 2)
    //|         least = min(least, __shfl_down_sync(0xffffffff, least, distance));
    //|     if (i % 32 == 0)
    //|         out[i / 32] = least;
    //| }
    //@ wrong race: every lane writes what it has, and only lane 0 has the result
    //| int least = i < n ? in[i] : 255;
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     least = min(least, __shfl_down_sync(0xffffffff, least, distance));
    //| if (i < n)
    //|     out[i / 32] = least;
    //@ wrong gate global_load_requests: one lane reads all 32 numbers
    //| if (i % 32 == 0 && i < n) {
    //|     int least = in[i];
    //|     for (int k = i + 1; k < min(i + 32, n); k++)
    //|         least = min(least, in[k]);
    //|     out[i / 32] = least;
    //| }
    //@ right: one instruction for the whole warp
    //| int least = i < n ? in[i] : 255;
    //| least = __reduce_min_sync(0xffffffff, least);
    //| if (i % 32 == 0 && i < n)
    //|     out[i / 32] = least;
    //@ right: shuffles upwards, and the last lane stores
    //| unsigned mask = __ballot_sync(0xffffffff, i < n);
    //| if (i >= n)
    //|     return;
    //| int least = in[i];
    //| for (int d = 1; d < 32; d *= 2) {
    //|     int below = __shfl_up_sync(mask, least, d);  // itself, if there is none
    //|     least = min(least, below);
    //| }
    //| if (i % 32 == 31 || i == n - 1)
    //|     out[i / 32] = least;
    //@ right: a lambda that captures by reference
    //| int least = i < n ? in[i] : 255;
    //| auto step = [&](int d) { least = min(least, __shfl_down_sync(0xffffffff, least, d)); };
    //| step(16); step(8); step(4); step(2); step(1);
    //| if (i % 32 == 0 && i < n) out[i / 32] = least;
    //@ end
}

/// The smallest of the 32 numbers from 32 * i on.
__host__ __device__ int expected(const int* in, int n, int i) {
    int low = in[32 * i];
    for (int k = 32 * i; k < n && k < 32 * i + 32; k++)
        low = in[k] < low ? in[k] : low;
    return low;
}
