//! A copy that begins `offset` numbers into its input. With 0 each warp's 128 bytes are four whole sectors. With 1
//! they are spread over five, of which the outer two are used in part.
//!
//! Look at: *sectors per load*.
//@ vary offset = 0, 1, 2, 4, 8, 16, 31
//@ input  in: int[n + 31] = iota
//@ output out: int[n] = poison
//@ launch copy(in, out, n, offset) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^16
//@ measure 2^26
//@ bytes 8 * n

extern "C" __global__ void copy(const int* in, int* out, unsigned int n,
                                unsigned int offset) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + offset];
}

__host__ __device__ int expected(
    const int* in, unsigned int offset, unsigned int i) {
    return in[i + offset];
}
