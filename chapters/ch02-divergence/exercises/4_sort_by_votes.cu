//! # Sort a warp with votes
//!
//! Sort each 32 numbers in ascending order: `out[0]` to `out[31]` are the sorted `in[0]` to `in[31]`, and so on. The
//! numbers are 0 to 255, so each has eight bits. The last warp may have fewer numbers. Equal numbers occur.
//!
//! A lane can write its number to the right place at once if it knows how many numbers of its warp come before it.
//! Find that out with votes: what does `__ballot_sync` of one *bit* of all 32 numbers tell each lane?
//!
//! The goals: one load request and one store request for each warp.
//!
//! ## Hint
//! Begin with the highest bit, and vote on it. A lane whose bit is 1 knows: all lanes whose bit is 0 have smaller
//! numbers. It counts them with `__popc`. What does a lane know whose bit is 0?
//!
//! ## Hint
//! Keep a mask `same` of the lanes that agree with this lane in all bits so far. The next bit needs to be compared
//! within `same` only: whoever is not in it is already known to be smaller or larger.
//!
//! ## Hint
//! For each bit, from 7 down to 0: `set` is the vote. If this lane's bit is 1, add `__popc(same & ~set)` to the
//! number of smaller ones, and keep `same & set`; otherwise keep `same & ~set`. In the end `same` has the equal
//! numbers, and those in lower lanes come first.
//!
//! ## Hint
//! At the beginning `same` has the lanes that have a number: that is a vote, too.
//!
//! ## Why it works
//! This is a radix sort from the highest bit on: after `b` votes each lane knows the position of its first `b` bits
//! among those of the others. Eight votes replace the 32 * 32 comparisons of all pairs, and the numbers themselves
//! never leave their registers.
//!
//! Lanes with equal numbers get different places because each adds the number of equal ones in *lower* lanes. The
//! final store is a permutation of 32 adjacent words: *sectors per store* stays at four.
//@ exercise write, 90 minutes
//@ gate global_load_requests <= (n + 31) / 32
//@ gate global_store_requests <= (n + 31) / 32
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch sort(in, out, n) grid = (n + 63) / 64, block = 64
//@ test 1, 2, 31, 32, 33, 63, 64, 65, 509
//@ page 1024
//@ equivalent `8` for `7` in `for (int bit = 7; bit >= 0; bit--) {`: bit 8 is 0 in all numbers
//@ equivalent `(bit + 1)` for `bit` in `for (int bit = 7; bit >= 0; bit--) {`: a shift by -1 leaves no bit, so all lanes have the same
//@ equivalent `1` for `0` in `int value = i < n ? in[i] : 0;`: lanes behind the end are not among those that are compared
//@ equivalent `out` for `smaller` in `smaller += __popc(same & ~set);`: the pointer moves in place of the index

extern "C" __global__ void sort(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    //@ begin
    int value = i < n ? in[i] : 0;
    unsigned int same = __ballot_sync(0xffffffff, i < n);
    int smaller = 0;
    for (int bit = 7; bit >= 0; bit--) {
        bool mine = value >> bit & 1;
        unsigned int set = __ballot_sync(0xffffffff, mine);
        if (mine) {
            smaller += __popc(same & ~set);
            same &= set;
        } else {
            same &= ~set;
        }
    }
    int place = smaller + __popc(same & ((1u << lane) - 1));
    if (i < n)
        out[i - lane + place] = value;
    //@ starter
    //| int value = i < n ? in[i] : 0;
    //| int place = lane;  // how many numbers of the warp come before this one?
    //| if (i < n)
    //|     out[i - lane + place] = value;
    //@ wrong result: equal numbers get the same place
    //| int value = i < n ? in[i] : 0;
    //| unsigned int same = __ballot_sync(0xffffffff, i < n);
    //| int smaller = 0;
    //| for (int bit = 7; bit >= 0; bit--) {
    //|     bool mine = value >> bit & 1;
    //|     unsigned int set = __ballot_sync(0xffffffff, mine);
    //|     if (mine)
    //|         smaller += __popc(same & ~set);
    //|     same &= mine ? set : ~set;
    //| }
    //| if (i < n)
    //|     out[i - lane + smaller] = value;
    //@ wrong bounds: the lanes without a number count as the smallest ones
    //| int value = i < n ? in[i] : 0;
    //| unsigned int same = 0xffffffff;
    //| int smaller = 0;
    //| for (int bit = 7; bit >= 0; bit--) {
    //|     bool mine = value >> bit & 1;
    //|     unsigned int set = __ballot_sync(0xffffffff, mine);
    //|     if (mine)
    //|         smaller += __popc(same & ~set);
    //|     same &= mine ? set : ~set;
    //| }
    //| int place = smaller + __popc(same & ((1u << lane) - 1));
    //| if (i < n)
    //|     out[i - lane + place] = value;
    //@ wrong result: the bits are compared from the lowest to the highest
    //| int value = i < n ? in[i] : 0;
    //| unsigned int same = __ballot_sync(0xffffffff, i < n);
    //| int smaller = 0;
    //| for (int bit = 0; bit < 8; bit++) {
    //|     bool mine = value >> bit & 1;
    //|     unsigned int set = __ballot_sync(0xffffffff, mine);
    //|     if (mine)
    //|         smaller += __popc(same & ~set);
    //|     same &= mine ? set : ~set;
    //| }
    //| int place = smaller + __popc(same & ((1u << lane) - 1));
    //| if (i < n)
    //|     out[i - lane + place] = value;
    //@ wrong sync-mask: the lanes vote on either side of a branch, each time for all 32
    //| int value = i < n ? in[i] : 0;
    //| unsigned int same = __ballot_sync(0xffffffff, i < n);
    //| int smaller = 0;
    //| for (int bit = 7; bit >= 0; bit--) {
    //|     if (value >> bit & 1) {
    //|         unsigned int set = __ballot_sync(0xffffffff, true);
    //|         smaller += __popc(same & ~set);
    //|         same &= set;
    //|     } else {
    //|         same &= __ballot_sync(0xffffffff, true);
    //|     }
    //| }
    //| int place = smaller + __popc(same & ((1u << lane) - 1));
    //| if (i < n)
    //|     out[i - lane + place] = value;
    //@ wrong gate global_load_requests: each lane reads all 32 numbers of its warp
    //| if (i < n) {
    //|     int first = i - lane, place = 0;
    //|     for (int k = first; k < first + 32 && k < n; k++)
    //|         place += in[k] < in[i] || (in[k] == in[i] && k < i);
    //|     out[first + place] = in[i];
    //| }
    //@ right: a radix sort through shared memory
    //| __shared__ int moved[64];
    //| int* row = moved + threadIdx.x / 32 * 32;
    //| int value = i < n ? in[i] : 256;
    //| for (int bit = 0; bit < 9; bit++) {
    //|     unsigned ones = __ballot_sync(0xffffffff, value >> bit & 1);
    //|     unsigned below = (1u << lane) - 1;
    //|     int place = value >> bit & 1 ? 32 - __popc(ones) + __popc(ones & below) : __popc(~ones & below);
    //|     row[place] = value;
    //|     __syncwarp();
    //|     value = row[lane];
    //|     __syncwarp();
    //| }
    //| if (i < n)
    //|     out[i] = value;
    //@ right: a vote for each of the 256 values
    //| int value = i < n ? in[i] : -1;
    //| int smaller = 0, place = 0;
    //| for (int v = 0; v < 256; v++) {
    //|     unsigned have = __ballot_sync(0xffffffff, value == v);
    //|     if (value == v)
    //|         place = smaller + __popc(have & ((1u << lane) - 1));
    //|     smaller += __popc(have);
    //| }
    //| if (i < n)
    //|     out[i - lane + place] = value;
    //@ right: each lane looks for its number with `__fns`
    //| int value = i < n ? in[i] : 256;
    //| for (int bit = 0; bit < 9; bit++) {
    //|     unsigned ones = __ballot_sync(0xffffffff, value >> bit & 1);
    //|     int zeros = 32 - __popc(ones);
    //|     unsigned source = lane < zeros ? __fns(~ones, 0, lane + 1) : __fns(ones, 0, lane - zeros + 1);
    //|     value = __shfl_sync(0xffffffff, value, source);
    //| }
    //| if (i < n)
    //|     out[i] = value;
    //@ end
}

/// The (i % 32)-th smallest number of its warp, found bit by bit.
__host__ __device__ int expected(const int* in, int n, int i) {
    int first = i - i % 32;
    int value = 0;
    for (int bit = 128; bit > 0; bit /= 2) {
        int less = 0;
        for (int k = first; k < n && k < first + 32; k++)
            less += in[k] < value + bit;
        if (less <= i - first)
            value += bit;
    }
    return value;
}
