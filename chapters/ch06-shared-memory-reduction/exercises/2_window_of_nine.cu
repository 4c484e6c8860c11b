//! # A window of nine
//!
//! Each of `n` numbers is replaced by the sum of nine: itself, the four before it and the four after it. Outside of
//! the array everything is zero. A block of 128 threads computes 128 sums.
//!
//! Neighbouring windows share eight of nine numbers. Load each number from global memory about once per block, into
//! shared memory, and add there.
//!
//! The goals: at most two sectors for each eight numbers, which is twice the least possible, and a warp loads from
//! shared memory at least once.
//!
//! ## Hint
//! Which numbers does the block need? The 128 of its own, and four more on either side. So the tile has 136 words.
//!
//! ## Hint
//! There are more words than threads. Fill the tile in a loop: thread `t` fills word `t`, and then word `t + 128` if
//! the tile has it.
//!
//! ## Hint
//! Word `k` of the tile is number `start - 4 + k`, where `start` is the first number of the block. If that is below 0
//! or not below `n`, the word is 0. After the loop there is a barrier, and then the window of thread `t` is words `t`
//! to `t + 8`.
//!
//! ## Why it works
//! The words beside the block's own are called the *halo*. Because of it the tile is longer than the block, and a
//! thread fills another number of words than it adds. After the barrier every word is read up to nine times from
//! shared memory.
//!
//! *Global load sectors* shows what is saved. As the chapter says, a cache would have saved much of it as well:
//! compare the time on a GPU before you believe a counter.
//@ exercise write, 25 minutes
//@ gate global_load_sectors <= n / 4
//@ gate shared_loads >= n / 32
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch window(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 4, 5, 31, 32, 33, 127, 128, 129, 132, 509
//@ page 4096
//@ equivalent `127` for `128` in `for (int k = t; k < 136; k += 128) {`: one word is filled twice, and alike

extern "C" __global__ void window(const int* in, int* out, int n) {
    int t = threadIdx.x;
    int start = blockIdx.x * 128;
    //@ begin
    __shared__ int tile[136];
    for (int k = t; k < 136; k += 128) {
        int i = start - 4 + k;
        tile[k] = i >= 0 && i < n ? in[i] : 0;
    }
    __syncthreads();

    int sum = 0;
    for (int k = 0; k < 9; k++)
        sum += tile[t + k];
    if (start + t < n)
        out[start + t] = sum;
    //@ starter
    //| __shared__ int tile[136];
    //| tile[t + 4] = start + t < n ? in[start + t] : 0;
    //| __syncthreads();
    //| if (start + t < n)
    //|     out[start + t] = tile[t + 4];
    //@ wrong race: nobody waits until the tile is full
    //| __shared__ int tile[136];
    //| for (int k = t; k < 136; k += 128) {
    //|     int i = start - 4 + k;
    //|     tile[k] = i >= 0 && i < n ? in[i] : 0;
    //| }
    //| int sum = 0;
    //| for (int k = 0; k < 9; k++)
    //|     sum += tile[t + k];
    //| if (start + t < n)
    //|     out[start + t] = sum;
    //@ wrong uninitialised: the last eight words of the tile are never filled
    //| __shared__ int tile[136];
    //| int i = start - 4 + t;
    //| tile[t] = i >= 0 && i < n ? in[i] : 0;
    //| __syncthreads();
    //| int sum = 0;
    //| for (int k = 0; k < 9; k++)
    //|     sum += tile[t + k];
    //| if (start + t < n)
    //|     out[start + t] = sum;
    //@ wrong bounds: the first block reads numbers before the first one
    //| __shared__ int tile[136];
    //| for (int k = t; k < 136; k += 128) {
    //|     int i = start - 4 + k;
    //|     tile[k] = i < n ? in[i] : 0;
    //| }
    //| __syncthreads();
    //| int sum = 0;
    //| for (int k = 0; k < 9; k++)
    //|     sum += tile[t + k];
    //| if (start + t < n)
    //|     out[start + t] = sum;
    //@ wrong result: the halo is zero at the edge of every block, and not only at the edge of the array
    //| __shared__ int tile[136];
    //| tile[t + 4] = start + t < n ? in[start + t] : 0;
    //| if (t < 4) {
    //|     tile[t] = 0;
    //|     tile[t + 132] = 0;
    //| }
    //| __syncthreads();
    //| int sum = 0;
    //| for (int k = 0; k < 9; k++)
    //|     sum += tile[t + k];
    //| if (start + t < n)
    //|     out[start + t] = sum;
    //@ wrong gate global_load_sectors: every thread loads all nine numbers from global memory
    //| int sum = 0;
    //| for (int i = max(start + t - 4, 0); i <= min(start + t + 4, n - 1); i++)
    //|     sum += in[i];
    //| if (start + t < n)
    //|     out[start + t] = sum;
    //@ wrong gate shared_loads: the lanes exchange by shuffles
    //| int i = start + t, lane = t % 32;
    //| int mine = i < n ? in[i] : 0;
    //| int before = lane < 4 && i >= 4 && i - 4 < n ? in[i - 4] : 0;
    //| int behind = lane >= 28 && i + 4 < n ? in[i + 4] : 0;
    //| int sum = mine;
    //| for (int d = 1; d <= 4; d++) {
    //|     int left = __shfl_up_sync(0xffffffff, mine, d);
    //|     int edge = __shfl_sync(0xffffffff, before, (lane - d + 4) & 31);
    //|     sum += lane >= d ? left : edge;
    //|     int right = __shfl_down_sync(0xffffffff, mine, d);
    //|     edge = __shfl_sync(0xffffffff, behind, (lane + d - 4) & 31);
    //|     sum += lane + d < 32 ? right : edge;
    //| }
    //| if (i < n)
    //|     out[i] = sum;
    //@ right: four numbers at once
    //| __shared__ __align__(16) int tile[136];
    //| if (t < 34) {
    //|     int i = start - 4 + 4 * t;
    //|     int4 v = make_int4(0, 0, 0, 0);
    //|     if (i >= 0 && i + 3 < n) {
    //|         v = *reinterpret_cast<const int4*>(in + i);
    //|     } else if (i >= 0) {
    //|         v.x = i < n ? in[i] : 0;
    //|         v.y = i + 1 < n ? in[i + 1] : 0;
    //|         v.z = i + 2 < n ? in[i + 2] : 0;
    //|     }
    //|     reinterpret_cast<int4*>(tile)[t] = v;
    //| }
    //| __syncthreads();
    //| if (start + t < n) {
    //|     int sum = 0;
    //|     for (int k = t; k < t + 9; k++)
    //|         sum += tile[k];
    //|     out[start + t] = sum;
    //| }
    //@ right: sums of two, four and eight
    //| __shared__ int a[136], b[136];
    //| for (int k = t; k < 136; k += 128) {
    //|     int i = start - 4 + k;
    //|     a[k] = 0 <= i && i < n ? in[i] : 0;
    //| }
    //| __syncthreads();
    //| int last = a[t + 8];
    //| for (int k = t; k < 135; k += 128) b[k] = a[k] + a[k + 1];
    //| __syncthreads();
    //| for (int k = t; k < 133; k += 128) a[k] = b[k] + b[k + 2];
    //| __syncthreads();
    //| if (start + t < n)
    //|     out[start + t] = a[t] + a[t + 4] + last;
    //@ right: lambdas that capture by reference
    //| __shared__ int tile[136];
    //| auto at = [&](int j) { return j >= 0 && j < n ? in[j] : 0; };
    //| for (int k = t; k < 136; k += 128) tile[k] = at(start - 4 + k);
    //| __syncthreads();
    //| int sum = 0;
    //| auto add = [&](int k) { sum += tile[t + k]; };
    //| for (int k = 0; k < 9; k++) add(k);
    //| if (start + t < n) out[start + t] = sum;
    //@ end
}

/// The sum of number i and the four on either side.
__host__ __device__ int expected(const int* in, int n, int i) {
    int sum = 0;
    for (int distance = -4; distance <= 4; distance++)
        sum += i + distance >= 0 && i + distance < n ? in[i + distance] : 0;
    return sum;
}
