// Groups: blocks, tiles, tiles of tiles, those who came along.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <typename Group>
__device__ int sum_of(Group g, int* scratch, int value) {
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        scratch[lane] = value;
        g.sync();
        if (lane < i) value += scratch[lane + i];
        g.sync();
    }
    return value;
}

template <int Size>
__device__ int tile_sum(cg::thread_block_tile<Size> tile, int value) {
    for (int i = tile.size() / 2; i > 0; i /= 2) value += tile.shfl_down(value, i);
    return value;
}

__global__ void kernel(int* out) {
    __shared__ int scratch[128];
    cg::thread_block block = cg::this_thread_block();
    int rank = block.thread_rank();
    int total = sum_of(block, scratch, rank);
    if (rank == 0) out[0] = total;

    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int w = tile_sum<32>(warp, 1 + rank / 32);
    if (warp.thread_rank() == 0) out[1 + warp.meta_group_rank()] = w;

    auto quad = cg::tiled_partition<4>(warp);
    int q = quad.shfl_xor(rank, 3) + quad.size() * 1000;
    if (rank == 5) out[5] = q;

    if (rank % 3 == 1) {
        cg::coalesced_group active = cg::coalesced_threads();
        if (active.thread_rank() == 0 && rank < 32) out[6] = active.size();
    }
    if (quad.any(rank == 63)) {
        if (quad.thread_rank() == 2) out[7] = rank;
    }
    block.sync();
}

int main() {
    int *d, h[8];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    kernel<<<1, 128>>>(d);
    cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int v : h) printf("%d ", v);
    printf("\n");
    const int want[8] = {127 * 64, 32, 64, 96, 128, 4006, 11, 62};
    bool ok = e == cudaSuccess;
    for (int i = 0; i < 8; ++i) ok = ok && h[i] == want[i];
    printf("%s\n", ok ? "passed" : "FAILED");
    return ok ? 0 : 1;
}
