//! # Divide the work as a GPU does
//!
//! 512 threads process `n` numbers. The kernel divides them as one does for the threads of a CPU: each thread gets a
//! contiguous part of the array, and goes through it from its beginning to its end. For a core with a cache of its own
//! that is right. The result is right here, too.
//!
//! Divide the numbers among the same 512 threads in another way, so that each sector is loaded once and stored once.
//! `n` may be any number from 1 on.
//!
//! ## Hint
//! In the first iteration of the loop, which numbers do the 32 lanes of a warp load? How many sectors are those?
//!
//! ## Hint
//! At each time, neighbouring lanes should take neighbouring numbers.
//!
//! ## Hint
//! Begin at the thread's index `thread`, and go on in steps of `threads`, as long as the index is less than `n`.
//!
//! ## Why it works
//! The lanes of a warp execute the same load at the same time, so what counts is the distance between *lanes*, not the
//! distance between one iteration and the next. With contiguous parts the lanes are far apart, and each needs a sector
//! of its own: 32 *global load sectors* per request instead of four.
//!
//! A CPU's cache keeps the sector until the next iteration of the same thread. A GPU's cache has hardly room for that:
//! on a multiprocessor, thousands of threads share it.
//@ exercise improve, 10 minutes
//@ gate global_load_sectors <= n / 8 + n / 32
//@ gate global_store_sectors <= n / 8 + n / 32
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch work(in, out, n) grid = 4, block = 128
//@ test 1, 31, 32, 33, 511, 512, 513, 1021
//@ page 16384

extern "C" __global__ void work(const int* in, int* out, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    //@ begin
    for (int i = thread; i < n; i += threads)
        out[i] = 3 * in[i] + 1;
    //@ starter
    //| int part = (n + threads - 1) / threads;
    //| int end = min(n, (thread + 1) * part);
    //| for (int i = thread * part; i < end; i++)
    //|     out[i] = 3 * in[i] + 1;
    //@ wrong gate global_load_sectors: the parts are the same, only gone through from the end
    //| int part = (n + threads - 1) / threads;
    //| for (int i = min(n, (thread + 1) * part) - 1; i >= thread * part; i--)
    //|     out[i] = 3 * in[i] + 1;
    //@ wrong result: each thread processes one number, and the others are left out
    //| if (thread < n)
    //|     out[thread] = 3 * in[thread] + 1;
    //@ wrong bounds: the number of iterations is rounded up, and the last one is not tested
    //| for (int k = 0; k < (n + threads - 1) / threads; k++) {
    //|     int i = k * threads + thread;
    //|     out[i] = 3 * in[i] + 1;
    //| }
    //@ wrong gate global_load_sectors: every block takes all numbers, so each is processed four times
    //| for (int i = threadIdx.x; i < n; i += blockDim.x)
    //|     out[i] = 3 * in[i] + 1;
    //@ right: four numbers at once, and the rest one by one
    //| int quads = n / 4;
    //| for (int q = thread; q < quads; q += threads) {
    //|     int4 v = reinterpret_cast<const int4*>(in)[q];
    //|     reinterpret_cast<int4*>(out)[q] = make_int4(3 * v.x + 1, 3 * v.y + 1, 3 * v.z + 1, 3 * v.w + 1);
    //| }
    //| for (int i = quads * 4 + thread; i < n; i += threads)
    //|     out[i] = 3 * in[i] + 1;
    //@ right: through shared memory
    //| __shared__ int s[128 * 4 + 16];
    //| for (int base = blockIdx.x * 512; base < n; base += gridDim.x * 512) {
    //|     for (int k = threadIdx.x; k < 512 && base + k < n; k += 128)
    //|         s[k + k / 32] = in[base + k];
    //|     __syncthreads();
    //|     for (int k = 4 * threadIdx.x; k < 4 * threadIdx.x + 4 && base + k < n; k++)
    //|         s[k + k / 32] = 3 * s[k + k / 32] + 1;
    //|     __syncthreads();
    //|     for (int k = threadIdx.x; k < 512 && base + k < n; k += 128)
    //|         out[base + k] = s[k + k / 32];
    //|     __syncthreads();
    //| }
    //@ right: the loads first, in an array
    //| for (int base = thread; base < n; base += 4 * threads) {
    //|     int v[4];
    //|     for (int k = 0; k < 4; k++)
    //|         if (base + k * threads < n)
    //|             v[k] = in[base + k * threads];
    //|     for (int k = 0; k < 4; k++)
    //|         if (base + k * threads < n)
    //|             out[base + k * threads] = 3 * v[k] + 1;
    //| }
    //@ right: a reference to the number
    //| for (int i = thread; i < n; i += threads) {
    //|     const auto& v = in[i];
    //|     out[i] = v + v + v + 1;
    //| }
    //@ end
}

__host__ __device__ int expected(const int* in, int i) {
    return 3 * in[i] + 1;
}
