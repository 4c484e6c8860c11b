//! One launch. The blocks use one 64-bit word: an atomic adds a block's sum to the upper half and 1 to the lower. The
//! block whose atomic completes the count writes the total, and clears the word for the next run. Nothing else needs
//! an order, so no fence is needed.
//!
//! Look at: the time at 2^24, in the plot below the next file: there a launch is more of the whole.
//@ let blocks = (n + 16383) / 16384
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

extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
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
