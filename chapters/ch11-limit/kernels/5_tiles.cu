//! Fewer blocks, each of which reads more: up to four tiles of 64 KiB. There are at least 264 blocks,
//! two per multiprocessor of an H200, as far as there are tiles. The loads of a whole tile have no
//! bounds test, so the compiler may issue all eight at once. What is left after the whole tiles comes
//! last, one int at a time.
//!
//! Look at: the registers, more than before; *warp instructions*; and the time.
//@ let tiles = (n + 16383) / 16384
//@ let blocks = min(tiles, max(264, (tiles + 3) / 4))
//@ input  data: int[n] = lcg256
//@ output out: int[1] = poison
//@ launch reduce(data, out, n) grid = blocks, block = 512
//@ test 1, 31, 32, 33, 511, 512, 513, 1021, 16383, 16384, 16385, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^26, 2^28, 2^30
//@ bytes 4 * n
//@ fold add

/// High half: the sum of the blocks that are done. Low half: how many they are.
__device__ unsigned long long progress = 0;

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

extern "C" __global__ void __launch_bounds__(512, 2)
reduce(const int* data, int* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int tiles = n / 16384;  // whole ones

    int sum = 0;
    for (unsigned int at = blockIdx.x; at < tiles; at += gridDim.x) {
        const int4* tile = reinterpret_cast<const int4*>(data) + at * 4096;
        int4 v[8];
#pragma unroll
        for (unsigned int k = 0; k < 8; k++)
            v[k] = tile[t + k * 512];
#pragma unroll
        for (unsigned int k = 0; k < 8; k++)
            sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    unsigned int rest = tiles * 16384;
    for (unsigned int i = rest + blockIdx.x * 512 + t; i < n; i += gridDim.x * 512)
        sum += data[i];

    sum = block_sum(sum);
    if (t == 0) {
        unsigned long long mine = (unsigned long long)(unsigned int)sum << 32 | 1;
        unsigned long long all = atomicAdd(&progress, mine) + mine;
        if ((unsigned int)all == gridDim.x) {
            out[0] = (int)(all >> 32);
            atomicExch(&progress, 0ull);
        }
    }
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
