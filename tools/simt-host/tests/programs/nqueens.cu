// Queens on a board: prefixes on the host, a stack in each thread, one atomic count.
#include <cstdio>
#include <vector>

struct Prefix {
    unsigned cols, left, right;
};

__global__ void solve(const Prefix* prefixes, int count, int n, int depth, unsigned long long* solutions) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const unsigned mask = (1u << n) - 1;
    unsigned cols[16], left[16], right[16], open[16];
    int level = 0;
    cols[0] = prefixes[i].cols;
    left[0] = prefixes[i].left;
    right[0] = prefixes[i].right;
    open[0] = mask & ~(cols[0] | left[0] | right[0]);
    unsigned long long found = 0;
    const int rest = n - depth;
    while (level >= 0) {
        if (open[level] == 0) {
            --level;
            continue;
        }
        unsigned bit = open[level] & -open[level];
        open[level] ^= bit;
        if (level + 1 == rest) {
            ++found;
            continue;
        }
        cols[level + 1] = cols[level] | bit;
        left[level + 1] = (left[level] | bit) << 1;
        right[level + 1] = (right[level] | bit) >> 1;
        open[level + 1] = mask & ~(cols[level + 1] | left[level + 1] | right[level + 1]);
        ++level;
    }
    if (found) atomicAdd(solutions, found);
}

static void expand(std::vector<Prefix>& out, Prefix p, int row, int depth, unsigned mask) {
    if (row == depth) {
        out.push_back(p);
        return;
    }
    for (unsigned open = mask & ~(p.cols | p.left | p.right); open; open &= open - 1) {
        unsigned bit = open & -open;
        expand(out, Prefix{p.cols | bit, (p.left | bit) << 1, (p.right | bit) >> 1}, row + 1, depth, mask);
    }
}

int main() {
    const unsigned long long known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352};
    bool ok = true;
    for (int n = 4; n <= 9; ++n) {
        std::vector<Prefix> prefixes;
        const int depth = 2;
        expand(prefixes, Prefix{0, 0, 0}, 0, depth, (1u << n) - 1);
        Prefix* d_prefixes;
        unsigned long long* d_solutions;
        cudaMalloc(&d_prefixes, prefixes.size() * sizeof(Prefix));
        cudaMalloc(&d_solutions, sizeof(unsigned long long));
        cudaMemset(d_solutions, 0, sizeof(unsigned long long));
        cudaMemcpy(d_prefixes, prefixes.data(), prefixes.size() * sizeof(Prefix), cudaMemcpyHostToDevice);
        solve<<<(unsigned)(prefixes.size() + 31) / 32, 32>>>(d_prefixes, (int)prefixes.size(), n, depth, d_solutions);
        unsigned long long solutions = 0;
        cudaMemcpy(&solutions, d_solutions, sizeof solutions, cudaMemcpyDeviceToHost);
        cudaFree(d_prefixes);
        cudaFree(d_solutions);
        printf("%d queens: %llu\n", n, solutions);
        ok = ok && solutions == known[n];
    }
    printf(ok ? "passed\n" : "FAILED\n");
    return ok ? 0 : 1;
}
