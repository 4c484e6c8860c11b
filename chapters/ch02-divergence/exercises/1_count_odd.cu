//! # Count the odd numbers of each warp
//!
//! Each warp looks at 32 numbers, lane by lane, and writes one number: how many of its 32 are odd. `out[0]` is for
//! numbers 0 to 31, `out[1]` for 32 to 63, and so on. The last warp may have fewer than 32 numbers.
//!
//! The goals: each number is loaded once, so a warp makes one load request; and at most one store request per warp.
//!
//! ## Hint
//! Every lane knows whether its own number is odd. Which intrinsic tells every lane what the other lanes know?
//!
//! ## Hint
//! `__ballot_sync(0xffffffff, condition)` gives 32 bits, one for each lane. `__popc` counts the bits that are set.
//!
//! ## Hint
//! All 32 lanes must reach the vote, those without a number, too. Let such a lane vote "no". After the vote lane 0
//! writes, if its warp has any number.
//!
//! ## Why it works
//! A vote is one instruction for the whole warp, and its result is the same in all lanes. So there is no loop, and no
//! lane reads a number of another one: *global load requests* is one for each warp.
//!
//! The test `i < n` stands around the *load*, not around the vote. A mask of 32 lanes promises that all 32 come.
//@ exercise write, 15 minutes
//@ gate global_load_requests <= (n + 31) / 32
//@ gate global_store_requests <= (n + 31) / 32
//@ input in: int[n] = lcg256
//@ output out: int[(n + 31) / 32] = poison
//@ launch count_odd(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 1021
//@ page 4096
//@ equivalent without `threadIdx.x % 32 == 0 &&` in `if (threadIdx.x % 32 == 0 && i < n)`: all lanes know the count, and store the same
//@ equivalent `y` for `x` in `if (threadIdx.x % 32 == 0 && i < n)`: all lanes know the count, and store the same
//@ equivalent `(i + 1)` for `i` in `out[i / 32] = count;`: only multiples of 32 come here, and one more is in the same 32

extern "C" __global__ void count_odd(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    bool odd = i < n && in[i] % 2 == 1;
    int count = __popc(__ballot_sync(0xffffffff, odd));
    if (threadIdx.x % 32 == 0 && i < n)
        out[i / 32] = count;
    //@ starter
    //| bool odd = i < n && in[i] % 2 == 1;
    //| int count = odd;  // of this lane only
    //| if (threadIdx.x % 32 == 0 && i < n)
    //|     out[i / 32] = count;
    //@ wrong sync-mask: the lanes without a number do not come to the vote that names all lanes
    //| if (i < n) {
    //|     unsigned int odd = __ballot_sync(0xffffffff, in[i] % 2 == 1);
    //|     if (threadIdx.x % 32 == 0)
    //|         out[i / 32] = __popc(odd);
    //| }
    //@ wrong result: the lanes without a number vote as if they had an odd one
    //| int value = i < n ? in[i] : 1;
    //| int count = __popc(__ballot_sync(0xffffffff, value % 2 == 1));
    //| if (threadIdx.x % 32 == 0 && i < n)
    //|     out[i / 32] = count;
    //@ wrong result: only the first warp of each block writes its count
    //| bool odd = i < n && in[i] % 2 == 1;
    //| int count = __popc(__ballot_sync(0xffffffff, odd));
    //| if (threadIdx.x == 0 && i < n)
    //|     out[i / 32] = count;
    //@ wrong result: the bits of the vote are stored, and not their number
    //| bool odd = i < n && in[i] % 2 == 1;
    //| unsigned int votes = __ballot_sync(0xffffffff, odd);
    //| if (threadIdx.x % 32 == 0 && i < n)
    //|     out[i / 32] = votes;
    //@ wrong gate global_load_requests: one lane reads all 32 numbers, one after the other
    //| if (threadIdx.x % 32 == 0 && i < n) {
    //|     int count = 0;
    //|     for (int k = i; k < i + 32 && k < n; k++)
    //|         count += in[k] % 2;
    //|     out[i / 32] = count;
    //| }
    //@ right: a butterfly of shuffles
    //| int count = i < n ? in[i] & 1 : 0;
    //| for (int d = 1; d < 32; d *= 2)
    //|     count += __shfl_xor_sync(0xffffffff, count, d);
    //| if ((threadIdx.x & 31) == 0 && i < n)
    //|     out[i / 32] = count;
    //@ right: an atomic in shared memory
    //| __shared__ int counts[4];
    //| int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    //| if (lane == 0)
    //|     counts[warp] = 0;
    //| __syncwarp();
    //| if (i < n && in[i] % 2)
    //|     atomicAdd(&counts[warp], 1);
    //| __syncwarp();
    //| if (lane == 0 && i < n)
    //|     out[i / 32] = counts[warp];
    //@ right: the lane's number from inline PTX
    //| int lane;
    //| asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    //| unsigned odd = __ballot_sync(0xffffffff, i < n && in[i] % 2);
    //| if (lane == 0 && i < n)
    //|     out[i / 32] = __popc(odd);
    //@ end
}

/// How many of the 32 numbers from 32 * i on are odd.
__host__ __device__ int expected(const int* in, int n, int i) {
    int count = 0;
    for (int k = 32 * i; k < n && k < 32 * i + 32; k++)
        count += in[k] & 1;
    return count;
}
