//! # A grid that does not grow
//!
//! The kernel squares `n` numbers. Its grid always has 4 blocks of 128 threads, however large `n` is, so a thread has
//! several numbers. The kernel below gives each thread a chunk of adjacent numbers, as one would on a CPU. The
//! results are right, but a warp's load touches up to 32 sectors, where 4 would do.
//!
//! Distribute the numbers so that neighbouring threads take neighbouring numbers at the same time.
//!
//! The goals count the sectors: a store of 32 numbers may touch four. For the loads there is room for reading each
//! number twice, as in `in[i] * in[i]`.
//!
//! ## Hint
//! Look at the first round of the loop. Lane 0 reads number 0. Which number does lane 1 read at the same moment?
//!
//! ## Hint
//! In one round all threads of the grid together should take adjacent numbers. Then they all go on to the next such
//! piece.
//!
//! ## Hint
//! It is the grid-stride loop of the chapter: begin at the thread's index in the grid, and go on by the number of
//! threads in the grid, `gridDim.x * blockDim.x`.
//!
//! ## Why it works
//! On a CPU a chunk per thread is good, because each core has its own cache. The lanes of a warp load together, so
//! what counts is which numbers they want *at the same time*. With the stride of the grid these are 32 adjacent ints:
//! 128 bytes, four sectors. *Global load requests* is the same as before; *global load sectors* has fallen to an
//! eighth.
//@ exercise improve, 20 minutes
//@ gate global_load_sectors <= n / 4 + 16
//@ gate global_store_sectors <= n / 8 + 16
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch square(in, out, n) grid = 4, block = 128
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 5000
//@ page 16384

extern "C" __global__ void square(const int* in, int* out, int n) {
    int threads = gridDim.x * blockDim.x;
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    for (int i = thread; i < n; i += threads)
        out[i] = in[i] * in[i];
    //@ starter
    //| int chunk = (n + threads - 1) / threads;
    //| int end = min((thread + 1) * chunk, n);
    //| for (int i = thread * chunk; i < end; i++)
    //|     out[i] = in[i] * in[i];
    //@ wrong gate global_store_sectors: a thread goes on by the size of its block, so most numbers are squared four times
    //| for (int i = thread; i < n; i += blockDim.x)
    //|     out[i] = in[i] * in[i];
    //@ wrong result: only the first number of each thread is squared
    //| if (thread < n)
    //|     out[thread] = in[thread] * in[thread];
    //@ wrong result: whole rounds only, so what is left at the end is not squared
    //| for (int round = 0; round < n / threads; round++) {
    //|     int i = round * threads + thread;
    //|     out[i] = in[i] * in[i];
    //| }
    //@ wrong bounds: the last round has no test
    //| for (int round = 0; round < (n + threads - 1) / threads; round++) {
    //|     int i = round * threads + thread;
    //|     out[i] = in[i] * in[i];
    //| }
    //@ wrong gate global_store_sectors: pairs of numbers per thread are still no neighbours for the lanes
    //| for (int i = 2 * thread; i < n; i += 2 * threads) {
    //|     out[i] = in[i] * in[i];
    //|     if (i + 1 < n)
    //|         out[i + 1] = in[i + 1] * in[i + 1];
    //| }
    //@ right: four numbers at once, in a grid-stride loop
    //| int fours = n / 4;
    //| for (int k = thread; k < fours; k += threads) {
    //|     int4 v = reinterpret_cast<const int4*>(in)[k];
    //|     reinterpret_cast<int4*>(out)[k] = make_int4(v.x * v.x, v.y * v.y, v.z * v.z, v.w * v.w);
    //| }
    //| int i = 4 * fours + thread;
    //| if (i < n)
    //|     out[i] = in[i] * in[i];
    //@ right: from the end backwards
    //| for (int i = n - 1 - thread; i >= 0; i -= threads)
    //|     out[i] = in[i] * in[i];
    //@ right: four loads before the sum, in an array
    //| int v[4];
    //| for (int base = 0; base < n; base += 4 * threads) {
    //| #pragma unroll
    //|     for (int k = 0; k < 4; k++) {
    //|         int i = base + k * threads + thread;
    //|         v[k] = i < n ? in[i] : 0;
    //|     }
    //| #pragma unroll
    //|     for (int k = 0; k < 4; k++) {
    //|         int i = base + k * threads + thread;
    //|         if (i < n) out[i] = v[k] * v[k];
    //|     }
    //| }
    //@ end
}

/// Number i, squared.
__host__ __device__ int expected(const int* in, int i) {
    return in[i] * in[i];
}
