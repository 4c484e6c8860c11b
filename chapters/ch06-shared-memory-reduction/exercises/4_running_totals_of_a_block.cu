//! # Running totals of a block
//!
//! For each number compute its *running total* within its block of 256: the sum of all numbers of the block from the
//! first one up to itself. So `out[0]` is `in[0]`, `out[255]` is the sum of the first 256, and at `out[256]` it
//! begins again.
//!
//! The goals: a thread waits at no more than three barriers, each number is loaded once, and a warp makes no more
//! than 16 shared loads. (A scan of the whole block in shared memory, round by round, needs far more barriers.)
//!
//! ## Hint
//! Do it in two stages. First every warp computes the running totals of its own 32 numbers, with shuffles. What is
//! then missing in the totals of warp 5?
//!
//! ## Hint
//! For the first stage use `__shfl_up_sync(0xffffffff, total, distance)` with the distances 1, 2, 4, 8 and 16. A lane
//! below `distance` has no partner and must not add what it gets.
//!
//! ## Hint
//! After the first stage the total of lane 31 is the sum of its warp. Eight warps store eight sums in shared memory.
//! Then a barrier.
//!
//! ## Hint
//! To each total add the sums of all *earlier* warps: a loop of `warp` steps over the eight sums. All lanes of a warp
//! read the same word, so it is a broadcast and no conflict.
//!
//! ## Why it works
//! Running totals, a *scan* or *prefix sum*, look sequential, but have the same structure as a reduction: a part
//! within the warps, a part between them. 256 numbers become eight sums, and only these have to be exchanged in
//! shared memory.
//!
//! *Barriers* counts one per warp, *shuffles* five. The same trick works once more, between blocks: their sums are
//! scanned by another launch, and added by a third. So three launches scan 65,536 elements, and more if the middle one
//! goes through the sums in a loop.
//@ exercise write, 90 minutes
//@ gate barriers <= 3 * (n / 32)
//@ gate global_load_requests <= n / 32
//@ gate shared_loads <= n / 2
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch totals(in, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 2, 31, 32, 33, 255, 256, 257, 509
//@ page 4096

extern "C" __global__ void totals(const int* in, int* out, int n) {
    int t = threadIdx.x;
    int i = blockIdx.x * 256 + t;
    //@ begin
    int warp = t / 32, lane = t % 32;
    int total = i < n ? in[i] : 0;
    for (int distance = 1; distance <= 16; distance *= 2) {
        int left = __shfl_up_sync(0xffffffff, total, distance);
        if (lane >= distance)
            total += left;
    }

    __shared__ int sums[8];
    if (lane == 31)
        sums[warp] = total;
    __syncthreads();

    for (int k = 0; k < warp; k++)
        total += sums[k];
    if (i < n)
        out[i] = total;
    //@ starter
    //| int total = i < n ? in[i] : 0;
    //| if (i < n)
    //|     out[i] = total;
    //@ wrong result: the lanes below the distance add what the shuffle gives them, which is their own value
    //| int warp = t / 32, lane = t % 32;
    //| int total = i < n ? in[i] : 0;
    //| for (int distance = 1; distance <= 16; distance *= 2)
    //|     total += __shfl_up_sync(0xffffffff, total, distance);
    //| __shared__ int sums[8];
    //| if (lane == 31)
    //|     sums[warp] = total;
    //| __syncthreads();
    //| for (int k = 0; k < warp; k++)
    //|     total += sums[k];
    //| if (i < n)
    //|     out[i] = total;
    //@ wrong race: the sums of the warps are read before all of them are written
    //| int warp = t / 32, lane = t % 32;
    //| int total = i < n ? in[i] : 0;
    //| for (int distance = 1; distance <= 16; distance *= 2) {
    //|     int left = __shfl_up_sync(0xffffffff, total, distance);
    //|     if (lane >= distance)
    //|         total += left;
    //| }
    //| __shared__ int sums[8];
    //| if (lane == 31)
    //|     sums[warp] = total;
    //| for (int k = 0; k < warp; k++)
    //|     total += sums[k];
    //| if (i < n)
    //|     out[i] = total;
    //@ wrong sync-mask: the lanes without a partner do not come to the shuffle
    //| int warp = t / 32, lane = t % 32;
    //| int total = i < n ? in[i] : 0;
    //| for (int distance = 1; distance <= 16; distance *= 2) {
    //|     if (lane >= distance)
    //|         total += __shfl_up_sync(0xffffffff, total, distance);
    //| }
    //| __shared__ int sums[8];
    //| if (lane == 31)
    //|     sums[warp] = total;
    //| __syncthreads();
    //| for (int k = 0; k < warp; k++)
    //|     total += sums[k];
    //| if (i < n)
    //|     out[i] = total;
    //@ wrong result: the sum of the own warp is added, too
    //| int warp = t / 32, lane = t % 32;
    //| int total = i < n ? in[i] : 0;
    //| for (int distance = 1; distance <= 16; distance *= 2) {
    //|     int left = __shfl_up_sync(0xffffffff, total, distance);
    //|     if (lane >= distance)
    //|         total += left;
    //| }
    //| __shared__ int sums[8];
    //| if (lane == 31)
    //|     sums[warp] = total;
    //| __syncthreads();
    //| for (int k = 0; k <= warp; k++)
    //|     total += sums[k];
    //| if (i < n)
    //|     out[i] = total;
    //@ wrong result: only the sum of the warp before is added, and not those of all earlier ones
    //| int warp = t / 32, lane = t % 32;
    //| int total = i < n ? in[i] : 0;
    //| for (int distance = 1; distance <= 16; distance *= 2) {
    //|     int left = __shfl_up_sync(0xffffffff, total, distance);
    //|     if (lane >= distance)
    //|         total += left;
    //| }
    //| __shared__ int sums[8];
    //| if (lane == 31)
    //|     sums[warp] = total;
    //| __syncthreads();
    //| if (warp > 0)
    //|     total += sums[warp - 1];
    //| if (i < n)
    //|     out[i] = total;
    //@ wrong gate barriers: the whole block scans in shared memory, with two barriers in each of eight rounds
    //| __shared__ int tile[256];
    //| tile[t] = i < n ? in[i] : 0;
    //| for (int distance = 1; distance < 256; distance *= 2) {
    //|     __syncthreads();
    //|     int left = t >= distance ? tile[t - distance] : 0;
    //|     __syncthreads();
    //|     tile[t] += left;
    //| }
    //| if (i < n)
    //|     out[i] = tile[t];
    //@ wrong gate shared_loads: each thread adds up all numbers before its own
    //| __shared__ int tile[256];
    //| tile[t] = i < n ? in[i] : 0;
    //| __syncthreads();
    //| int total = 0;
    //| for (int k = 0; k <= t; k++)
    //|     total += tile[k];
    //| if (i < n)
    //|     out[i] = total;
    //@ wrong serial: one thread scans, four numbers at a time
    //| __shared__ __align__(16) int tile[256];
    //| tile[t] = i < n ? in[i] : 0;
    //| __syncthreads();
    //| if (t == 0) {
    //|     int4* fours = reinterpret_cast<int4*>(tile);
    //|     int sum = 0;
    //|     for (int k = 0; k < 64; k++) {
    //|         int4 four = fours[k];
    //|         four.x += sum, four.y += four.x, four.z += four.y, four.w += four.z;
    //|         sum = four.w;
    //|         fours[k] = four;
    //|     }
    //| }
    //| __syncthreads();
    //| if (i < n)
    //|     out[i] = tile[t];
    //@ right: the first warp adds up the sums
    //| __shared__ int sums[8];
    //| int lane = t % 32, warp = t / 32;
    //| int value = i < n ? in[i] : 0, total = value;
    //| for (int d = 1; d < 32; d *= 2) {
    //|     int below = __shfl_up_sync(0xffffffff, total, d);
    //|     total += lane >= d ? below : 0;
    //| }
    //| if (lane == 31)
    //|     sums[warp] = total;
    //| __syncthreads();
    //| if (warp == 0) {
    //|     int s = lane < 8 ? sums[lane] : 0;
    //|     for (int d = 1; d < 8; d *= 2) {
    //|         int below = __shfl_up_sync(0xffffffff, s, d);
    //|         if (lane >= d)
    //|             s += below;
    //|     }
    //|     if (lane < 8)
    //|         sums[lane] = s;
    //| }
    //| __syncthreads();
    //| if (warp > 0)
    //|     total += sums[warp - 1];
    //| if (i < n)
    //|     out[i] = total;
    //@ right: votes, bit by bit
    //| __shared__ int sums[8];
    //| int lane = t % 32, warp = t / 32;
    //| int value = i < n ? in[i] : 0;
    //| unsigned upto = 0xffffffffu >> (31 - lane);
    //| int total = 0, all = 0;
    //| for (int bit = 0; bit < 8; bit++) {
    //|     unsigned ones = __ballot_sync(0xffffffff, value >> bit & 1);
    //|     total += __popc(ones & upto) << bit;
    //|     all += __popc(ones) << bit;
    //| }
    //| if (lane == 0)
    //|     sums[warp] = all;
    //| __syncthreads();
    //| int4 a = make_int4(sums[0], sums[1], sums[2], sums[3]);
    //| int4 b = make_int4(sums[4], sums[5], sums[6], 0);
    //| total += (warp > 0 ? a.x : 0) + (warp > 1 ? a.y : 0) + (warp > 2 ? a.z : 0) + (warp > 3 ? a.w : 0)
    //|        + (warp > 4 ? b.x : 0) + (warp > 5 ? b.y : 0) + (warp > 6 ? b.z : 0);
    //| if (i < n)
    //|     out[i] = total;
    //@ right: eight numbers per thread, in an array
    //| __shared__ int sums[8];
    //| int lane = t % 32, warp = t / 32;
    //| int total = i < n ? in[i] : 0;
    //| for (int d = 1; d < 32; d *= 2) {
    //|     int below = __shfl_up_sync(0xffffffff, total, d);
    //|     if (lane >= d) total += below;
    //| }
    //| if (lane == 31) sums[warp] = total;
    //| __syncthreads();
    //| int before[8];
    //| before[0] = 0;
    //| #pragma unroll
    //| for (int w = 1; w < 8; w++)
    //|     before[w] = before[w - 1] + sums[w - 1];
    //| total += before[warp];
    //| if (i < n) out[i] = total;
    //@ end
}

/// The sum of the numbers of element i's block, up to and including it.
__host__ __device__ int expected(const int* in, int i) {
    int sum = 0;
    for (int k = i / 256 * 256; k <= i; k++)
        sum += in[k];
    return sum;
}
