//! # Running totals in a warp
//!
//! A meter sends 32 numbers at a time. For each of them compute the *running total*: its own value plus all values
//! before it in the same 32. So `out[0]` is `in[0]`, `out[1]` is `in[0] + in[1]`, and `out[31]` is the sum of the
//! first 32. With `out[32]` it begins again.
//!
//! A warp takes 32 numbers. Let its lanes work together, through the array `total` in shared memory, which has a place
//! for each of the 128 threads of a block. Each warp may wait for itself only.
//!
//! The goals: no barrier of the block, each number is loaded from global memory once, and a warp loads from shared
//! memory at least once. (Without it there is another way; exercise 6.4 takes it.)
//!
//! ## Hint
//! It takes five rounds, not 31. In the first round each lane adds the value of the lane 1 below it. Then it has the
//! sum of two numbers. Which lane's sum does it add in the second round?
//!
//! ## Hint
//! The distances are 1, 2, 4, 8 and 16. A lane whose partner would be below lane 0 adds nothing.
//!
//! ## Hint
//! In one round a lane reads a word that another lane writes in the same round. First all lanes read, then all write,
//! and only then does the next round begin. How many `__syncwarp()` does a round need?
//!
//! ## Hint
//! Every lane must reach each `__syncwarp()`. Read with `int left = lane >= distance ? total[t - distance] : 0;`, and
//! let all lanes add it.
//!
//! ## Why it works
//! After the round with distance `d` each lane has the sum of the last `2 * d` numbers up to its own. This is called
//! an *inclusive scan*, here in the form of Hillis and Steele.
//!
//! Two `__syncwarp()` per round separate reading from writing. A warp is not in lockstep, so both are needed.
//! *Barriers* counts `__syncthreads` only and stays at zero: no warp waits for another one. Exercise 6.4 does the same
//! with shuffles, and for a whole block.
//@ exercise write, 60 minutes
//@ gate barriers = 0
//@ gate global_load_requests <= (n + 31) / 32
//@ gate shared_loads >= (n + 31) / 32
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch totals(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 2, 31, 32, 33, 127, 128, 129, 509
//@ page 4096
//@ equivalent `1` for `0` in `total[t] = i < n ? in[i] : 0;`: a number behind the end reaches no lane before it
//@ equivalent `17` for `16` in `for (int distance = 1; distance <= 16; distance *= 2) {`: the distances are powers of two

extern "C" __global__ void totals(const int* in, int* out, int n) {
    int t = threadIdx.x, lane = t % 32;
    int i = blockIdx.x * blockDim.x + t;
    //@ begin
    __shared__ int total[128];
    total[t] = i < n ? in[i] : 0;
    for (int distance = 1; distance <= 16; distance *= 2) {
        __syncwarp();
        int left = lane >= distance ? total[t - distance] : 0;
        __syncwarp();
        total[t] += left;
    }
    if (i < n)
        out[i] = total[t];
    //@ starter
    //| __shared__ int total[128];
    //| total[t] = i < n ? in[i] : 0;
    //| if (i < n)
    //|     out[i] = total[t];
    //@ wrong race: a lane may write its new total before another lane has read the old one
    //| __shared__ int total[128];
    //| total[t] = i < n ? in[i] : 0;
    //| for (int distance = 1; distance <= 16; distance *= 2) {
    //|     __syncwarp();
    //|     total[t] += lane >= distance ? total[t - distance] : 0;
    //| }
    //| if (i < n)
    //|     out[i] = total[t];
    //@ wrong race: a lane may read before the lane below has written its total of the last round
    //| __shared__ int total[128];
    //| total[t] = i < n ? in[i] : 0;
    //| for (int distance = 1; distance <= 16; distance *= 2) {
    //|     int left = lane >= distance ? total[t - distance] : 0;
    //|     __syncwarp();
    //|     total[t] += left;
    //| }
    //| if (i < n)
    //|     out[i] = total[t];
    //@ wrong sync-mask: the lanes without a partner do not come to the barrier of the warp
    //| __shared__ int total[128];
    //| total[t] = i < n ? in[i] : 0;
    //| __syncwarp();
    //| for (int distance = 1; distance <= 16; distance *= 2) {
    //|     if (lane >= distance) {
    //|         int left = total[t - distance];
    //|         __syncwarp();
    //|         total[t] += left;
    //|     }
    //|     __syncwarp();
    //| }
    //| if (i < n)
    //|     out[i] = total[t];
    //@ wrong gate barriers: the whole block waits, in every round
    //| __shared__ int total[128];
    //| total[t] = i < n ? in[i] : 0;
    //| for (int distance = 1; distance <= 16; distance *= 2) {
    //|     __syncthreads();
    //|     int left = lane >= distance ? total[t - distance] : 0;
    //|     __syncthreads();
    //|     total[t] += left;
    //| }
    //| if (i < n)
    //|     out[i] = total[t];
    //@ wrong race: partners are looked for in the warp before, too
    //| __shared__ int total[128];
    //| total[t] = i < n ? in[i] : 0;
    //| for (int distance = 1; distance <= 16; distance *= 2) {
    //|     __syncwarp();
    //|     int left = t >= distance ? total[t - distance] : 0;
    //|     __syncwarp();
    //|     total[t] += left;
    //| }
    //| if (i < n)
    //|     out[i] = total[t];
    //@ wrong result: the round with distance 16 is missing
    //| __shared__ int total[128];
    //| total[t] = i < n ? in[i] : 0;
    //| for (int distance = 1; distance < 16; distance *= 2) {
    //|     __syncwarp();
    //|     int left = lane >= distance ? total[t - distance] : 0;
    //|     __syncwarp();
    //|     total[t] += left;
    //| }
    //| if (i < n)
    //|     out[i] = total[t];
    //@ wrong gate shared_loads: the lanes exchange by shuffles
    //| int sum = i < n ? in[i] : 0;
    //| for (int d = 1; d < 32; d *= 2) {
    //|     int below = __shfl_up_sync(0xffffffff, sum, d);
    //|     if (lane >= d)
    //|         sum += below;
    //| }
    //| if (i < n)
    //|     out[i] = sum;
    //@ right: up and down a tree
    //| __shared__ int total[128];
    //| int* w = total + t - lane;
    //| w[lane] = i < n ? in[i] : 0;
    //| __syncwarp();
    //| for (int d = 1; d < 32; d *= 2) {  // up
    //|     if ((lane + 1) % (2 * d) == 0)
    //|         w[lane] += w[lane - d];
    //|     __syncwarp();
    //| }
    //| for (int d = 8; d > 0; d /= 2) {  // down
    //|     if ((lane + 1) % (2 * d) == 0 && lane + d < 32)
    //|         w[lane + d] += w[lane];
    //|     __syncwarp();
    //| }
    //| if (i < n)
    //|     out[i] = w[lane];
    //@ right: a lambda that captures by reference
    //| __shared__ int total[128];
    //| int v = i < n ? in[i] : 0;
    //| total[t] = v;
    //| auto step = [&](int d) {
    //|     __syncwarp();
    //|     int below = lane >= d ? total[t - d] : 0;
    //|     __syncwarp();
    //|     total[t] += below;
    //| };
    //| step(1); step(2); step(4); step(8); step(16);
    //| if (i < n) out[i] = total[t];
    //@ right: two arrays in turn, and one barrier per round
    //| __shared__ int even[128], odd[128];
    //| int *from = even, *to = odd;
    //| from[t] = i < n ? in[i] : 0;
    //| for (int distance = 1; distance <= 16; distance *= 2) {
    //|     __syncwarp();
    //|     to[t] = from[t] + (lane >= distance ? from[t - distance] : 0);
    //|     int* last = from;
    //|     from = to;
    //|     to = last;
    //| }
    //| if (i < n)
    //|     out[i] = from[t];
    //@ end
}

/// The sum of the numbers of element i's warp, up to and including it.
__host__ __device__ int expected(const int* in, int i) {
    int sum = 0;
    for (int k = i - i % 32; k <= i; k++)
        sum += in[k];
    return sum;
}
