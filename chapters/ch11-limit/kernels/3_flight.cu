//! Eight loads of 16 bytes per thread. If all were in flight, the 2048 threads of a multiprocessor
//! would have 256 KiB under way; CUB's table in chapter 5 asks for 48. But the compiler
//! uses too few registers for all eight.
//!
//! Look at: the registers; and the time, at each size. A block also reads twice as much, so there
//! are half as many sums for the second launch.
//@ let blocks = (n + 16383) / 16384
//@ input   data: int[n] = lcg256
//@ output  out: int[1] = poison
//@ scratch sums: int[blocks] = poison
//@ launch reduce(data, sums, n) grid = blocks, block = 512
//@ launch finish(sums, out, blocks) grid = 1, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 16383, 16384, 16385, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^26, 2^28, 2^30
//@ bytes 4 * n
//@ fold add

/// The sum over a warp's lanes, in lane 0.
__device__ int warp_sum(int sum) {
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

/// The sum over a block's threads, in thread 0.
__device__ int block_sum(int sum) {
    __shared__ int warps[16];  // one sum for each warp of the block
    unsigned int t = threadIdx.x;
    sum = warp_sum(sum);
    if (t % 32 == 0)
        warps[t / 32] = sum;
    __syncthreads();
    return t < 32 ? warp_sum(t < 16 ? warps[t] : 0) : 0;
}

extern "C" __global__ void reduce(const int* data, int* sums, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * 4096;
    unsigned int count = min(4096, n / 4 - start);  // in vectors
    const int4* tile = reinterpret_cast<const int4*>(data) + start;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 8; k++) {
        unsigned int i = t + k * 512;
        int4 v = i < count ? tile[i] : make_int4(0, 0, 0, 0);
        sum += v.x + v.y + v.z + v.w;
    }
    if (blockIdx.x == gridDim.x - 1 && t < n % 4)
        sum += data[n - 1 - t];

    sum = block_sum(sum);
    if (t == 0)
        sums[blockIdx.x] = sum;
}

extern "C" __global__ void finish(const int* sums, int* out, unsigned int blocks) {
    int sum = 0;
    for (unsigned int i = threadIdx.x; i < blocks; i += 512)
        sum += sums[i];

    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[0] = sum;
}

/// A part of the whole sum: the parts take the numbers in turn.
__host__ __device__ int expected_part(
    const int* data, unsigned int n, unsigned int i,
    unsigned int part, unsigned int parts) {
    int sum = 0;
    for (unsigned int k = part; k < n; k += parts)
        sum += data[k];
    return sum;
}
