// Shortest paths: relax all edges until none changes; Dijkstra on the host.
#include <climits>
#include <cstdio>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

struct Graph {
    std::vector<int> row, col, weight;
    int vertices() const { return static_cast<int>(row.size()) - 1; }
};

__global__ void relax(const int* row, const int* col, const int* weight, const int* old, int* dist, int* changed, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || old[v] == INT_MAX) return;
    for (int e = row[v]; e < row[v + 1]; ++e) {
        int d = old[v] + weight[e];
        if (atomicMin(&dist[col[e]], d) > d) *changed = 1;
    }
}

Graph make(int n) {
    Graph g;
    unsigned s = 99;
    auto next = [&s](unsigned below) {
        s = s * 1664525u + 1013904223u;
        return static_cast<int>((s >> 10) % below);
    };
    g.row.push_back(0);
    for (int v = 0; v < n; ++v) {
        int degree = 1 + next(5);
        for (int k = 0; k < degree; ++k) {
            g.col.push_back(next(n));
            g.weight.push_back(1 + next(20));
        }
        g.row.push_back(static_cast<int>(g.col.size()));
    }
    return g;
}

std::vector<int> dijkstra(const Graph& g, int source) {
    std::vector<int> dist(g.vertices(), INT_MAX);
    typedef std::pair<int, int> Entry;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
    dist[source] = 0;
    queue.push(Entry(0, source));
    while (!queue.empty()) {
        Entry top = queue.top();
        queue.pop();
        int v = top.second;
        if (top.first > dist[v]) continue;
        for (int e = g.row[v]; e < g.row[v + 1]; ++e) {
            int d = top.first + g.weight[e];
            if (d < dist[g.col[e]]) {
                dist[g.col[e]] = d;
                queue.push(Entry(d, g.col[e]));
            }
        }
    }
    return dist;
}

template <typename T>
T* upload(const std::vector<T>& v) {
    T* p;
    cudaMalloc(&p, v.size() * sizeof(T));
    cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

int main() {
    const int n = 2000;
    Graph g = make(n);
    std::vector<int> start(n, INT_MAX);
    start[0] = 0;
    int *row = upload(g.row), *col = upload(g.col), *weight = upload(g.weight), *dist = upload(start), *old = upload(start);
    int* changed;
    cudaMalloc(&changed, sizeof(int));
    int flag = 1, rounds = 0;
    while (flag) {
        cudaMemset(changed, 0, sizeof(int));
        cudaMemcpy(old, dist, n * sizeof(int), cudaMemcpyDeviceToDevice);
        relax<<<(n + 127) / 128, 128>>>(row, col, weight, old, dist, changed, n);
        cudaMemcpy(&flag, changed, sizeof(int), cudaMemcpyDeviceToHost);
        ++rounds;
    }
    std::vector<int> got(n);
    cudaMemcpy(got.data(), dist, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> want = dijkstra(g, 0);
    int reached = 0, wrong = 0;
    long sum = 0;
    for (int v = 0; v < n; ++v) {
        if (got[v] != want[v]) ++wrong;
        if (want[v] != INT_MAX) {
            ++reached;
            sum += want[v];
        }
    }
    printf("rounds %d, reached %d, sum of distances %ld\n", rounds, reached, sum);
    int* all[] = {row, col, weight, dist, old, changed};
    for (int* p : all) cudaFree(p);
    printf(wrong ? "FAILED\n" : "passed\n");
    return wrong != 0;
}
