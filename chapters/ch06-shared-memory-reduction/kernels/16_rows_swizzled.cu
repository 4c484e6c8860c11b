//! The same without the unused column: the words of a row are permuted. Row r stores its column c at index `c ^
//! r`. The `^` never maps two columns of a row to one index, so storing a row uses 32 banks, and so does reading a
//! column.
//!
//! Look at: *shared load conflicts*, none; and the shared memory, as in the first of the three.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 31) / 32] = poison
//@ launch rows(data, out, n) grid = (n + 4095) / 4096, block = 128
//@ test 1, 31, 32, 33, 1023, 1024, 1025, 4095, 4096, 4097, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n + 4 * ((n + 31) / 32)

extern "C" __global__ void rows(const int* data, int* out, unsigned int n) {
    __shared__ int tile[4][32][32];
    unsigned int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned int start = (blockIdx.x * 4 + warp) * 1024;

#pragma unroll 8
    for (unsigned int r = 0; r < 32; r++) {
        unsigned int i = start + r * 32 + lane;
        tile[warp][r][lane ^ r] = i < n ? data[i] : 0;
    }
    __syncwarp();

    int sum = 0;
#pragma unroll
    for (unsigned int c = 0; c < 32; c++)
        sum += tile[warp][lane][c ^ lane];

    unsigned int row = start / 32 + lane;
    if (row * 32 < n)
        out[row] = sum;
}

/// The sum of row i.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 32; k < n && k < (i + 1) * 32; k++)
        sum += data[k];
    return sum;
}
