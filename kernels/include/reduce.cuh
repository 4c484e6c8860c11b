// The sum of n ints in one pass, wrapping at 32 bits.
//
// Each block goes over the input in tiles of 512 x 8 vectors of four ints. All eight loads of a tile
// are issued before the first of them is used: that many bytes under way is what fills the memory's
// pipe. `__launch_bounds__(512, 2)` leaves the compiler registers enough to keep them apart.
//
// The blocks' sums meet in one 64-bit word: the sum in its high half, which wraps as an int does,
// and the number of blocks that are done in its low half. One atomic adds both, so the block that
// comes last learns the whole sum from its own atomic, without a fence and without a second kernel.
// It leaves the word as it found it, zero, for the next run.
//
// `data` is aligned to 16 bytes. Any grid is right; a few tiles a block are fast.
extern "C" __global__ void __launch_bounds__(512, 2)
    kernels_sum_i32(const int* data, unsigned long long n, int* out, unsigned long long* progress) {
    const int UNROLL = 8;
    const unsigned int WARP = 0xffffffff;
    const int4* vectors = reinterpret_cast<const int4*>(data);
    unsigned long long count = n / 4;
    unsigned long long tile = (unsigned long long)blockDim.x * UNROLL;
    unsigned long long tiles = count / tile;  // full ones

    int sum = 0;
    for (unsigned long long at = blockIdx.x; at < tiles; at += gridDim.x) {
        const int4* from = vectors + at * tile + threadIdx.x;
        int4 v[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            v[k] = from[k * blockDim.x];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    // What no full tile covers: vectors, and then at most three ints.
    unsigned long long thread = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = tiles * tile + thread; i < count; i += threads)
        sum += (vectors[i].x + vectors[i].y) + (vectors[i].z + vectors[i].w);
    if (thread < n % 4)
        sum += data[count * 4 + thread];

    __shared__ int sums[32];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(WARP, sum, distance);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    sum = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(WARP, sum, distance);
    if (threadIdx.x == 0) {
        unsigned long long mine = (unsigned long long)(unsigned int)sum << 32 | 1;
        unsigned long long all = atomicAdd(progress, mine) + mine;
        if ((unsigned int)all == gridDim.x) {
            *out = (int)(all >> 32);
            atomicExch(progress, 0ull);
        }
    }
}
