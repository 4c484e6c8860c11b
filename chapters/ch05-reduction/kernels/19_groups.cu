//! One sum per block of 128 threads, with groups instead of masks: the warps of the block add first, then
//! the first warp adds their sums.
//!
//! Look at: `sum_of`, which works for a tile of 32, 16, 8 or any other power of two lanes.
//@ input  in: int[n] = lcg256
//@ output out: int[(n + 127) / 128] = poison
//@ launch sums(in, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 31, 127, 128, 129, 1000
//@ page 1000
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

/// The sum over a tile of a warp: 32 lanes, 16, four.
template <typename Group>
__device__ int sum_of(const Group& group, int value) {
    for (int offset = group.size() / 2; offset > 0; offset /= 2)
        value += group.shfl_down(value, offset);
    return value;
}

extern "C" __global__ void sums(const int* in, int* out, int n) {
    __shared__ int partial[4];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int i = blockIdx.x * blockDim.x + block.thread_rank();
    int sum = sum_of(warp, i < n ? in[i] : 0);
    if (warp.thread_rank() == 0)
        partial[warp.meta_group_rank()] = sum;
    block.sync();  // __syncthreads
    if (warp.meta_group_rank() == 0) {
        unsigned int t = warp.thread_rank();
        int mine = t < 4 ? partial[t] : 0;
        int all = cg::reduce(warp, mine, cg::plus<int>());
        if (t == 0)
            out[blockIdx.x] = all;
    }
}

__host__ __device__ int expected(const int* in, int n, int i) {
    int all = 0;
    for (int k = i * 128; k < i * 128 + 128 && k < n; k++)
        all += in[k];
    return all;
}
