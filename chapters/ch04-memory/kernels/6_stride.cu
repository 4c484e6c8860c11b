//! A copy in which neighbouring lanes read `stride` numbers apart: lane 0 reads number 0, lane 1
//! number `stride`, and so on to the end of the array. That is one lap, of `lap` = n / `stride`
//! numbers. The next one begins one number further; `blockIdx.y` counts the laps. So every stride
//! reads every number exactly once, and only the *order* differs.
//!
//! Look at: *sectors per load*, as the stride grows.
//@ vary stride = 1, 2, 4, 8, 16, 32
//@ let lap = n / stride
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch gather(in, out, lap, stride) grid = ((lap + 255) / 256, stride), block = 256
//@ test 32, 64, 96, 992, 10016
//@ page 2^16
//@ measure 2^26
//@ bytes 8 * n

extern "C" __global__ void gather(const int* in, int* out, unsigned int lap,
                                  unsigned int stride) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lap)
        out[blockIdx.y * lap + i] = in[i * stride + blockIdx.y];
}

__host__ __device__ int expected(
    const int* in, unsigned int lap, unsigned int stride, unsigned int i) {
    return in[i % lap * stride + i / lap];
}
