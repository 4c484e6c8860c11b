// Local alignment of one query with many short sequences, one block each, std::string on the host.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

constexpr int MAX_QUERY = 64;
__constant__ char query[MAX_QUERY];

__global__ void smith_waterman(const char* database, const int* offsets, int* best, int queryLength) {
    __shared__ int row[3][MAX_QUERY + 1];
    __shared__ int maximum;
    const char* target = database + offsets[blockIdx.x];
    const int length = offsets[blockIdx.x + 1] - offsets[blockIdx.x];
    const int j = threadIdx.x;  // a column of the query
    for (int k = 0; k < 3; ++k) row[k][j] = 0;
    if (j == 0) {
        maximum = 0;
        for (int k = 0; k < 3; ++k) row[k][queryLength] = 0;
    }
    __syncthreads();
    int mine = 0;
    // Cells of one anti-diagonal at a time; three of them are kept.
    for (int d = 0; d < length + queryLength - 1; ++d) {
        int i = d - j;
        int* now = row[d % 3];
        const int* before = row[(d + 2) % 3];
        const int* older = row[(d + 1) % 3];
        int value = 0;
        if (i >= 0 && i < length) {
            int match = older[j] + (target[i] == query[j] ? 2 : -1);
            int gapLeft = before[j] - 1;
            int gapUp = i > 0 ? before[j + 1] - 1 : -1;
            value = max(max(0, match), max(gapLeft, gapUp));
        }
        now[j + 1] = value;
        mine = max(mine, value);
        __syncthreads();
    }
    atomicMax(&maximum, mine);
    __syncthreads();
    if (j == 0) best[blockIdx.x] = maximum;
}

int reference(const std::string& a, const std::string& b) {
    std::vector<std::vector<int>> h(a.size() + 1, std::vector<int>(b.size() + 1, 0));
    int best = 0;
    for (size_t i = 1; i <= a.size(); ++i)
        for (size_t j = 1; j <= b.size(); ++j) {
            int v = h[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
            v = std::max(v, std::max(h[i - 1][j] - 1, h[i][j - 1] - 1));
            h[i][j] = std::max(0, v);
            best = std::max(best, h[i][j]);
        }
    return best;
}

int main() {
    const std::string q = "GATTACAGATTACATTGACC";
    std::vector<std::string> targets = {"GATTACA", "TTTTTTTTTTTT", "CCGATTTACAGATACATTGGACCA", "ACGT", "GGCCAATTGGCCAATTGATTACAGG"};
    std::string database;
    std::vector<int> offsets(1, 0);
    for (const std::string& t : targets) {
        database += t;
        offsets.push_back(static_cast<int>(database.size()));
    }
    char* d_database;
    int *d_offsets, *d_best;
    cudaMalloc(&d_database, database.size());
    cudaMalloc(&d_offsets, offsets.size() * sizeof(int));
    cudaMalloc(&d_best, targets.size() * sizeof(int));
    cudaMemcpy(d_database, database.c_str(), database.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_offsets, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(query, q.data(), q.size());
    smith_waterman<<<static_cast<unsigned>(targets.size()), static_cast<unsigned>(q.size())>>>(d_database, d_offsets, d_best, static_cast<int>(q.size()));
    std::vector<int> best(targets.size());
    cudaMemcpy(best.data(), d_best, best.size() * sizeof(int), cudaMemcpyDeviceToHost);
    bool ok = cudaGetLastError() == cudaSuccess;
    for (size_t i = 0; i < targets.size(); ++i) {
        int want = reference(targets[i], q);
        std::cout << targets[i] << ": " << best[i] << (best[i] == want ? "" : " (wrong)") << '\n';
        ok &= best[i] == want;
    }
    cudaFree(d_database);
    cudaFree(d_offsets);
    cudaFree(d_best);
    std::cout << (ok ? "PASSED\n" : "FAILED\n");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
