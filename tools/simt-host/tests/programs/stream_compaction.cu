// Keep what a predicate wants, in order: ballot, ranks in the warp, offsets in the block, blocks in turn.
#include <cstdio>
#include <vector>

struct IsMultipleOf {
    int divisor;
    __host__ __device__ bool operator()(int x) const { return x % divisor == 0; }
};

template <typename Predicate>
__global__ void count_kept(const int* in, int n, int* counts, Predicate keep) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int total = __syncthreads_count(i < n && keep(in[i]));
    if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

template <typename Predicate>
__global__ void compact(const int* in, int n, const int* offsets, int* out, Predicate keep) {
    __shared__ int warps[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    bool mine = i < n && keep(in[i]);
    unsigned mask = __ballot_sync(0xffffffffu, mine);
    if (lane == 0) warps[warp] = __popc(mask);
    __syncthreads();
    if (threadIdx.x == 0) {
        int running = offsets[blockIdx.x];
        for (int w = 0; w < blockDim.x / 32; ++w) {
            int c = warps[w];
            warps[w] = running;
            running += c;
        }
    }
    __syncthreads();
    if (mine) out[warps[warp] + __popc(mask & ((1u << lane) - 1))] = in[i];
}

int main() {
    const int n = 10000, threads = 256, blocks = (n + threads - 1) / threads;
    std::vector<int> in(n), want;
    IsMultipleOf keep = {3};
    for (int i = 0; i < n; ++i) {
        in[i] = (i * 2654435761u) >> 16;
        if (keep(in[i])) want.push_back(in[i]);
    }
    int *d_in, *d_out, *d_counts;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_counts, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    count_kept<<<blocks, threads>>>(d_in, n, d_counts, keep);
    std::vector<int> counts(blocks);
    cudaMemcpy(counts.data(), d_counts, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    int total = 0;
    for (int& c : counts) {
        int next = total + c;
        c = total;
        total = next;
    }
    cudaMemcpy(d_counts, counts.data(), blocks * sizeof(int), cudaMemcpyHostToDevice);
    compact<<<blocks, threads>>>(d_in, n, d_counts, d_out, keep);
    std::vector<int> out(total);
    cudaMemcpy(out.data(), d_out, total * sizeof(int), cudaMemcpyDeviceToHost);
    bool ok = out == want;
    printf("kept %d of %d\n%s\n", total, n, ok ? "passed" : "FAILED");
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_counts);
    return !ok;
}
