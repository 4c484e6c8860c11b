//! How much must be in flight at once? Each block adds a tile of 16,384 ints. Its threads issue `items` loads
//! before they need the first of them. And each block allocates 48 KiB of shared memory, far more than it
//! needs, so that an H100 or H200 has room for just four blocks per multiprocessor. So `block` sets the
//! occupancy (32 threads: 4 warps of 64; 512 threads: all 64), and `items` what each of these warps has in
//! flight.
//@ vary block = 32, 64, 128, 256, 512
//@ vary items = 1, 2, 4, 8, 16
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 16383) / 16384] = poison
//@ launch sum(data, out, n, items) grid = (n + 16383) / 16384, block = block, shared = 49152
//@ test 1, 31, 33, 16383, 16384, 16385, 100003
//@ page 2^17
//@ measure 2^26
//@ bytes 4 * n
//@ equivalent `<=` for `<` in `for (unsigned int row = 0; row < 32; row += ITEMS) {`: the last rows begin at 32, where every index is past the tile's count, and add 0

/// A thread's share of a tile. It is read as rows of 512, `ITEMS` rows at a time.
template <int ITEMS>
__device__ int share(const int* tile, unsigned int count) {
    int sum = 0;
#pragma unroll 1
    for (unsigned int column = threadIdx.x; column < 512; column += blockDim.x) {
#pragma unroll 1
        for (unsigned int row = 0; row < 32; row += ITEMS) {
#pragma unroll
            for (unsigned int k = 0; k < ITEMS; k++) {
                unsigned int i = (row + k) * 512 + column;
                sum += i < count ? tile[i] : 0;
            }
        }
    }
    return sum;
}

extern "C" __global__ void __launch_bounds__(512, 4)
sum(const int* data, int* out, unsigned int n, unsigned int items) {
    extern __shared__ int sums[];
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * 16384;
    unsigned int count = min(16384u, n - start);
    const int* tile = data + start;

    switch (items) {
        case 1: sums[t] = share<1>(tile, count); break;
        case 2: sums[t] = share<2>(tile, count); break;
        case 4: sums[t] = share<4>(tile, count); break;
        case 8: sums[t] = share<8>(tile, count); break;
        default: sums[t] = share<16>(tile, count); break;
    }
    __syncthreads();

    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride)
            sums[t] += sums[t + stride];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}

/// The sum of tile i.
__host__ __device__ int expected(
    const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 16384; k < n && k < (i + 1) * 16384; k++)
        sum += data[k];
    return sum;
}
