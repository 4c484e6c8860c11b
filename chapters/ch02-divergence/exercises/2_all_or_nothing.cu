//! # All or nothing
//!
//! A sensor delivers its numbers in packets of 32. If one number of a packet is above 250, the whole packet is
//! invalid and becomes 0. All other packets are copied. A warp takes one packet, and the last packet may be shorter.
//!
//! The kernel is right if `n` is a multiple of 32. At other sizes the simulator reports a wrong mask. Mend it.
//!
//! ## Hint
//! Take 33 numbers. How many lanes of the second warp reach `__all_sync`, and how many does the mask name?
//!
//! ## Hint
//! There are two cures. All 32 lanes vote, before any branch; or the mask names exactly the lanes that vote.
//!
//! ## Hint
//! For the first cure: what must a lane vote if it has no number, so that it does not change the result of the
//! others?
//!
//! ## Why it works
//! The mask of a `_sync` intrinsic is a promise: each lane in it executes the same call. In the last warp the lanes
//! without a number had gone another way, and on a GPU the others may wait for them for ever, or not.
//!
//! Now all lanes vote, and a lane without a number votes "valid", which is neutral for `__all_sync`. The other cure
//! is `unsigned int there = __ballot_sync(0xffffffff, i < n);` before the branch, and `there` as the mask in it.
//! *Global load requests* and *branches* do not show the defect; only the finding does.
//@ exercise mend, 15 minutes
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch packets(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 1021
//@ page 1021
//@ equivalent `1` for `0` in `int value = i < n ? in[i] : 0;`: 1 is valid as well, and is not stored

extern "C" __global__ void packets(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    int value = i < n ? in[i] : 0;
    bool valid = __all_sync(0xffffffff, value <= 250);
    if (i < n)
        out[i] = valid ? value : 0;
    //@ starter
    //| if (i < n) {
    //|     int value = in[i];
    //|     bool valid = __all_sync(0xffffffff, value <= 250);
    //|     out[i] = valid ? value : 0;
    //| }
    //@ wrong result: a lane without a number makes its packet invalid
    //| int value = i < n ? in[i] : 255;
    //| bool valid = __all_sync(0xffffffff, value <= 250);
    //| if (i < n)
    //|     out[i] = valid ? value : 0;
    //@ wrong sync-mask: the mask is computed by a vote that itself names lanes which do not come
    //| if (i < n) {
    //|     unsigned int there = __ballot_sync(0xffffffff, i < n);
    //|     int value = in[i];
    //|     bool valid = __all_sync(there, value <= 250);
    //|     out[i] = valid ? value : 0;
    //| }
    //@ wrong sync-mask: the mask of the last warp is used in all warps
    //| if (i < n) {
    //|     unsigned int there = n % 32 == 0 ? 0xffffffff : (1u << (n % 32)) - 1;
    //|     int value = in[i];
    //|     bool valid = __all_sync(there, value <= 250);
    //|     out[i] = valid ? value : 0;
    //| }
    //@ wrong bounds: all lanes vote, and those without a number read one
    //| int value = in[i];
    //| bool valid = __all_sync(0xffffffff, value <= 250);
    //| if (i < n)
    //|     out[i] = valid ? value : 0;
    //@ wrong result: one valid number is enough for the packet
    //| int value = i < n ? in[i] : 255;
    //| bool valid = __any_sync(0xffffffff, value <= 250);
    //| if (i < n)
    //|     out[i] = valid ? value : 0;
    //@ right: an index that is clamped, and a ballot
    //| int value = in[min(i, n - 1)];  // lanes without a number repeat the last
    //| unsigned bad = __ballot_sync(0xffffffff, value > 250);
    //| if (i < n)
    //|     out[i] = bad == 0 ? value : 0;
    //@ right: the maximum of the warp
    //| int value = i < n ? in[i] : 0;
    //| int most = __reduce_max_sync(0xffffffff, value);
    //| if (i < n)
    //|     out[i] = most <= 250 ? value : 0;
    //@ right: a product of votes, and two stores
    //| bool has = i < n;
    //| int value = has ? in[i] : 0;
    //| unsigned good = __ballot_sync(0xffffffff, !has || value <= 250);
    //| if (has)
    //|     out[i] = value * (good == 0xffffffff);
    //@ end
}

/// Number i, or 0 if its packet has a number above 250.
__host__ __device__ int expected(const int* in, int n, int i) {
    int first = i - i % 32;
    for (int k = first; k < n && k < first + 32; k++) {
        if (in[k] > 250)
            return 0;
    }
    return in[i];
}
