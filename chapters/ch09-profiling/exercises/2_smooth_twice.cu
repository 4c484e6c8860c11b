//! # Smooth twice in one launch
//!
//! Smoothing replaces each number by `smooth(left, middle, right)`. The first number has no left neighbour, and the
//! last one no right neighbour: they take themselves in its place. An array is to be smoothed *twice*: the second time
//! takes the results of the first.
//!
//! As two launches, the array goes through memory twice. Write it as one kernel with blocks of 128 threads. A block
//! needs results of the first smoothing that belong to its neighbours. It cannot wait for other blocks, so it computes
//! them itself.
//!
//! The goals: at most eight load requests and four store requests per block of four warps.
//!
//! ## Hint
//! A block writes 128 results. How many results of the first smoothing does it need for them, and how many numbers of
//! the input?
//!
//! ## Hint
//! 132 numbers go to shared memory, then 130 results of the first smoothing, then 128 of the second. Each of the first
//! two steps is a loop that starts at the thread's index and goes on in steps of 128. Barriers separate the steps.
//!
//! ## Hint
//! If the index of a load is limited to 0 … n − 1, the first smoothing has its missing neighbours: they are copies of
//! the number at the edge.
//!
//! ## Hint
//! For the second smoothing that is not enough. Left of the first cell there is no *result*, so the thread of cell 0
//! must take the result of cell 0 in its place, and the thread of cell n − 1 likewise.
//!
//! ## Why it works
//! Between the two steps a barrier for the whole device would be needed. Only a cooperative launch has one (chapter 5),
//! and with it the results of the first step would still go through memory. Computing two results per block twice
//! replaces it: the arithmetic is small, and the array is loaded once and stored once, not twice. *Global store
//! sectors* are half of those of two launches of the starter, and *global load sectors* less than half, since the
//! neighbours come from shared memory.
//!
//! More steps can be fused in the same way. Each one makes the halo wider by a number on both sides.
//@ exercise write, 60 minutes
//@ gate global_load_requests <= 8 * (n / 128)
//@ gate global_store_requests <= 4 * (n / 128)
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch smooth_twice(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 2, 3, 31, 32, 33, 127, 128, 129, 257, 509
//@ page 4096
//@ equivalent `127` for `128` in `for (int k = t; k < 132; k += 128)`: some words are filled twice, and alike

__host__ __device__ int smooth(int left, int middle, int right) {
    return (5 * left + 7 * middle + 4 * right) / 16;
}

extern "C" __global__ void smooth_twice(const int* in, int* out, int n) {
    int t = threadIdx.x;
    int first = blockIdx.x * 128;  // of the block's cells
    int i = first + t;
    //@ begin
    __shared__ int input[132], once[130];
    for (int k = t; k < 132; k += 128)
        input[k] = in[max(0, min(n - 1, first + k - 2))];
    __syncthreads();
    for (int k = t; k < 130; k += 128)
        once[k] = smooth(input[k], input[k + 1], input[k + 2]);
    __syncthreads();
    if (i < n) {
        int middle = once[t + 1];
        int left = i > 0 ? once[t] : middle;
        int right = i < n - 1 ? once[t + 2] : middle;
        out[i] = smooth(left, middle, right);
    }
    //@ starter
    //| // This smooths once.
    //| if (i < n)
    //|     out[i] = smooth(in[max(0, i - 1)], in[i], in[min(n - 1, i + 1)]);
    //@ wrong gate global_load_requests: each thread loads five numbers and smooths three times by itself
    //| if (i < n) {
    //|     int a = in[max(0, i - 2)], b = in[max(0, i - 1)], c = in[i];
    //|     int d = in[min(n - 1, i + 1)], e = in[min(n - 1, i + 2)];
    //|     int middle = smooth(b, c, d);
    //|     int left = i > 0 ? smooth(a, b, c) : middle;
    //|     int right = i < n - 1 ? smooth(c, d, e) : middle;
    //|     out[i] = smooth(left, middle, right);
    //| }
    //@ wrong result: the results of the first smoothing that belong to other blocks are taken from this block's edge
    //| __shared__ int once[128];
    //| if (i < n)
    //|     once[t] = smooth(in[max(0, i - 1)], in[i], in[min(n - 1, i + 1)]);
    //| __syncthreads();
    //| if (i < n) {
    //|     int left = t > 0 ? once[t - 1] : once[t];
    //|     int right = t < 127 && i < n - 1 ? once[t + 1] : once[t];
    //|     out[i] = smooth(left, once[t], right);
    //| }
    //@ wrong result: at the ends of the array, the second smoothing takes results of cells that do not exist
    //| __shared__ int input[132], once[130];
    //| for (int k = t; k < 132; k += 128)
    //|     input[k] = in[max(0, min(n - 1, first + k - 2))];
    //| __syncthreads();
    //| for (int k = t; k < 130; k += 128)
    //|     once[k] = smooth(input[k], input[k + 1], input[k + 2]);
    //| __syncthreads();
    //| if (i < n)
    //|     out[i] = smooth(once[t], once[t + 1], once[t + 2]);
    //@ wrong race: the barrier between the two smoothings is missing
    //| __shared__ int input[132], once[130];
    //| for (int k = t; k < 132; k += 128)
    //|     input[k] = in[max(0, min(n - 1, first + k - 2))];
    //| __syncthreads();
    //| for (int k = t; k < 130; k += 128)
    //|     once[k] = smooth(input[k], input[k + 1], input[k + 2]);
    //| if (i < n) {
    //|     int middle = once[t + 1];
    //|     int left = i > 0 ? once[t] : middle;
    //|     int right = i < n - 1 ? once[t + 2] : middle;
    //|     out[i] = smooth(left, middle, right);
    //| }
    //@ wrong race: the first result goes through global memory, where other blocks may not have written yet
    //| if (i < n)
    //|     out[i] = smooth(in[max(0, i - 1)], in[i], in[min(n - 1, i + 1)]);
    //| __syncthreads();
    //| int left = i < n ? out[max(0, i - 1)] : 0;
    //| int middle = i < n ? out[i] : 0;
    //| int right = i < n ? out[min(n - 1, i + 1)] : 0;
    //| __syncthreads();
    //| if (i < n)
    //|     out[i] = smooth(left, middle, right);
    //@ right: shuffles, with a frame for each warp
    //| int lane = t % 32, base = i - lane;
    //| int v = in[min(i, n - 1)];
    //| // lanes 0 and 1 have the two before, 2 and 3 the two after
    //| int h = 0;
    //| if (lane < 4)
    //|     h = in[max(0, min(n - 1, lane < 2 ? base - 2 + lane : base + 30 + lane))];
    //| int h0 = __shfl_sync(~0u, h, 0), h1 = __shfl_sync(~0u, h, 1);
    //| int h2 = __shfl_sync(~0u, h, 2), h3 = __shfl_sync(~0u, h, 3);
    //| int l = __shfl_up_sync(~0u, v, 1), r = __shfl_down_sync(~0u, v, 1);
    //| if (lane == 0) l = h1;
    //| if (lane == 31) r = h2;
    //| int once = smooth(l, v, r);
    //| int before = __shfl_up_sync(~0u, once, 1), after = __shfl_down_sync(~0u, once, 1);
    //| if (lane == 0) before = smooth(h0, h1, v);
    //| if (lane == 31) after = smooth(v, h2, h3);
    //| if (i == 0) before = once;
    //| if (i == n - 1) after = once;
    //| if (i < n)
    //|     out[i] = smooth(before, once, after);
    //@ right: the first results in shared memory
    //| __shared__ int s[132], once[130];
    //| if (i < n)
    //|     s[t + 2] = in[i];
    //| if (t < 2 && first - 2 + t >= 0)
    //|     s[t] = in[first - 2 + t];
    //| if (t >= 2 && t < 4 && first + 126 + t < n)
    //|     s[128 + t] = in[first + 126 + t];
    //| __syncthreads();
    //| // first smoothing at g = first - 1 + j
    //| for (int j = t; j < 130; j += 128) {
    //|     int g = first - 1 + j;
    //|     if (g >= 0 && g < n)
    //|         once[j] = smooth(s[g > 0 ? j : j + 1], s[j + 1], s[g < n - 1 ? j + 2 : j + 1]);
    //| }
    //| __syncthreads();
    //| if (i < n)
    //|     out[i] = smooth(once[i > 0 ? t : t + 1], once[t + 1], once[i < n - 1 ? t + 2 : t + 1]);
    //@ right: in place, in one buffer
    //| __shared__ int s[132];
    //| for (int j = t; j < 132; j += 128)
    //|     s[j] = in[max(0, min(n - 1, first + j - 2))];
    //| __syncthreads();
    //| int a = smooth(s[t], s[t + 1], s[t + 2]);            // once at i - 1
    //| int b = t < 2 ? smooth(s[t + 128], s[t + 129], s[t + 130]) : 0;
    //| __syncthreads();
    //| s[t] = a;
    //| if (t < 2)
    //|     s[t + 128] = b;
    //| __syncthreads();
    //| if (i == 0)
    //|     s[0] = s[1];
    //| if (i == n - 1)
    //|     s[t + 2] = s[t + 1];
    //| __syncthreads();
    //| if (i < n)
    //|     out[i] = smooth(s[t], s[t + 1], s[t + 2]);
    //@ end
}

/// The result of the first smoothing at i.
__host__ __device__ int once_at(const int* in, int n, int i) {
    return smooth(in[i > 0 ? i - 1 : i], in[i], in[i < n - 1 ? i + 1 : i]);
}

/// The result of the second smoothing at i.
__host__ __device__ int expected(const int* in, int n, int i) {
    int before = i > 0 ? i - 1 : i, after = i < n - 1 ? i + 1 : i;
    return smooth(once_at(in, n, before), once_at(in, n, i), once_at(in, n, after));
}
