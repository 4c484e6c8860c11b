//! # A title that says what to make
//!
//! `in` has `n` numbers. Write each of them, doubled, to `out`. The grid has at least one thread for each number.
//!
//! ## Hint
//! Which number does this thread take? Compute its index from `blockIdx.x`, `blockDim.x` and `threadIdx.x`.
//!
//! ## Hint
//! The last block has threads without a number. They must not read or write.
//!
//! ## Why it works
//! Each thread has an index of its own, so each number is read once and written once.
//@ exercise write, 10 minutes
//@ input  in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch KERNEL(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 1009
//@ page 4096

extern "C" __global__ void KERNEL(const int* in, int* out, int n) {
    //@ begin
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
    //@ starter
    //| // Every thread of the grid runs these lines.
    //| int i = 0;  // which number?
    //| out[i] = in[i];
    //@ wrong bounds: the test lets one thread too many through
    //| int i = blockIdx.x * blockDim.x + threadIdx.x;
    //| if (i <= n)
    //|     out[i] = 2 * in[i];
    //@ wrong result: all blocks take the numbers of the first block
    //| int i = threadIdx.x;
    //| if (i < n)
    //|     out[i] = 2 * in[i];
    //@ wrong serial: one thread doubles all numbers
    //| if (blockIdx.x == 0 && threadIdx.x == 0) {
    //|     for (int i = 0; i < n; i++)
    //|         out[i] = 2 * in[i];
    //| }
    //@ right: each thread takes every 128 * gridDim.x-th number
    //| for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    //|     out[i] = in[i] + in[i];
    //@ end
}

/// Element i of the right result.
__host__ __device__ int expected(const int* in, int i) {
    return 2 * in[i];
}
