//! How many blocks does a sum need? Here the number of blocks is a variable, `blocks`, and a grid-stride
//! loop does the rest: each thread takes every (blocks x 512)th number. The host has `blocks` sums to
//! add, whatever n is.
//!
//! Look at: the time by `blocks`. An H200 has 132 multiprocessors, each of which holds four blocks of
//! 512.
//@ input  data: int[n] = lcg256
//@ vary blocks = 256, 33, 66, 132, 264, 528, 1056, 2112
//@ output out: int[blocks] = poison
//@ launch reduce(data, out, n) grid = blocks, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 4096, 65536, 200003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ differs noise shared_load_wavefronts, shared_load_conflicts: the pipeline is busy with other work, and some passes are repeated (2026-11-21)

/// The sum over a warp's lanes, in lane 0.
__device__ int warp_sum(int sum) {
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
    __shared__ int warps[16];  // one sum for each warp of the block
    unsigned int t = threadIdx.x;
    unsigned int step = gridDim.x * blockDim.x;

    int sum = 0;
#pragma unroll 8
    for (unsigned int i = blockIdx.x * blockDim.x + t; i < n; i += step)
        sum += data[i];

    sum = warp_sum(sum);
    if (t % 32 == 0)
        warps[t / 32] = sum;
    __syncthreads();

    if (t < 32) {
        sum = warp_sum(t < 16 ? warps[t] : 0);
        if (t == 0)
            out[blockIdx.x] = sum;
    }
}

/// The sum of the numbers that are dealt to block i.
__host__ __device__ int expected(
    const int* data, unsigned int n, unsigned int blocks, unsigned int i) {
    int sum = 0;
    for (unsigned int first = i * 512; first < n; first += blocks * 512)
        for (unsigned int k = first; k < n && k < first + 512; k++)
            sum += data[k];
    return sum;
}
