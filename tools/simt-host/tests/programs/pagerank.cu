// PageRank by pulling along incoming edges; ranks in fixed point, so that they are the same everywhere.
#include <cstdio>
#include <cstdint>
#include <vector>
#include <algorithm>

const uint64_t ONE = 1ull << 32;

__global__ void share(const uint64_t* rank, const int* degree, uint64_t* out, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) out[v] = degree[v] ? rank[v] / degree[v] : 0;
}

__global__ void pull(const int* offsets, const int* sources, const uint64_t* share, uint64_t* rank, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    uint64_t sum = 0;
    for (int e = offsets[v]; e < offsets[v + 1]; ++e) sum += share[sources[e]];
    rank[v] = ONE * 15 / 100 + sum / 100 * 85;
}

int main() {
    const int n = 1000, iterations = 20;
    std::vector<std::vector<int>> incoming(n);
    std::vector<int> degree(n, 0);
    unsigned s = 17;
    for (int v = 0; v < n; ++v)
        for (int k = 0; k < 4; ++k) {
            s = s * 1103515245u + 12345u;
            int to = (int)((s >> 12) % (unsigned)(v + 1));
            incoming[to].push_back(v);
            degree[v]++;
        }
    std::vector<int> offsets(1, 0), sources;
    for (const auto& list : incoming) {
        sources.insert(sources.end(), list.begin(), list.end());
        offsets.push_back((int)sources.size());
    }
    std::vector<uint64_t> rank(n, ONE);
    int *d_offsets, *d_sources, *d_degree;
    uint64_t *d_rank, *d_share;
    cudaMalloc(&d_offsets, offsets.size() * sizeof(int));
    cudaMalloc(&d_sources, sources.size() * sizeof(int));
    cudaMalloc(&d_degree, n * sizeof(int));
    cudaMalloc(&d_rank, n * sizeof(uint64_t));
    cudaMalloc(&d_share, n * sizeof(uint64_t));
    cudaMemcpy(d_offsets, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_sources, sources.data(), sources.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_degree, degree.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_rank, rank.data(), n * sizeof(uint64_t), cudaMemcpyHostToDevice);
    for (int i = 0; i < iterations; ++i) {
        share<<<(n + 255) / 256, 256>>>(d_rank, d_degree, d_share, n);
        pull<<<(n + 255) / 256, 256>>>(d_offsets, d_sources, d_share, d_rank, n);
    }
    std::vector<uint64_t> got(n);
    cudaMemcpy(got.data(), d_rank, n * sizeof(uint64_t), cudaMemcpyDeviceToHost);
    for (int i = 0; i < iterations; ++i) {
        std::vector<uint64_t> parts(n);
        for (int v = 0; v < n; ++v) parts[v] = degree[v] ? rank[v] / degree[v] : 0;
        for (int v = 0; v < n; ++v) {
            uint64_t sum = 0;
            for (int e = offsets[v]; e < offsets[v + 1]; ++e) sum += parts[sources[e]];
            rank[v] = ONE * 15 / 100 + sum / 100 * 85;
        }
    }
    bool ok = got == rank;
    int best = (int)(std::max_element(got.begin(), got.end()) - got.begin());
    printf("highest rank: vertex %d with %llu\n", best, (unsigned long long)got[best]);
    printf("%s\n", ok ? "PASSED" : "FAILED");
    cudaFree(d_offsets);
    cudaFree(d_sources);
    cudaFree(d_degree);
    cudaFree(d_rank);
    cudaFree(d_share);
    return ok ? 0 : 1;
}
