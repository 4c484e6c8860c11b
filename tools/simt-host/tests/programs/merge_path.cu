// Two sorted arrays into one: each thread finds its diagonal by bisection.
#include <algorithm>
#include <iostream>
#include <random>
#include <vector>

template <typename T, typename Compare>
__device__ int diagonal(const T* a, int na, const T* b, int nb, int diag, Compare less) {
    int low = max(0, diag - nb), high = min(diag, na);
    while (low < high) {
        int mid = (low + high) >> 1;
        if (!less(b[diag - 1 - mid], a[mid])) low = mid + 1;
        else high = mid;
    }
    return low;
}

template <typename T>
struct Less {
    __host__ __device__ bool operator()(const T& x, const T& y) const { return x < y; }
};

template <int PerThread, typename T, typename Compare = Less<T>>
__global__ void merge(const T* a, int na, const T* b, int nb, T* out, Compare less = Compare()) {
    int start = (blockIdx.x * blockDim.x + threadIdx.x) * PerThread;
    if (start >= na + nb) return;
    int i = diagonal(a, na, b, nb, start, less), j = start - i;
    for (int k = start; k < min(start + PerThread, na + nb); ++k) {
        bool first = j >= nb || (i < na && !less(b[j], a[i]));
        out[k] = first ? a[i++] : b[j++];
    }
}

int main() {
    std::minstd_rand engine(5);
    std::uniform_int_distribution<int> value(0, 9999);
    std::vector<int> a(1500), b(2301), want(a.size() + b.size()), got(want.size());
    for (auto& v : a) v = value(engine);
    for (auto& v : b) v = value(engine);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), want.begin());
    int *da, *db, *dc;
    cudaMalloc(&da, a.size() * sizeof(int));
    cudaMalloc(&db, b.size() * sizeof(int));
    cudaMalloc(&dc, got.size() * sizeof(int));
    cudaMemcpy(da, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(int), cudaMemcpyHostToDevice);
    const int perThread = 7, threads = 64, total = static_cast<int>(got.size());
    merge<perThread><<<(total + perThread * threads - 1) / (perThread * threads), threads>>>(da, (int)a.size(), db, (int)b.size(), dc, Less<int>());
    cudaMemcpy(got.data(), dc, got.size() * sizeof(int), cudaMemcpyDeviceToHost);
    std::cout << got.size() << " elements from " << got.front() << " to " << got.back() << std::endl;
    bool ok = got == want;
    std::cout << (ok ? "passed" : "FAILED") << std::endl;
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return ok ? 0 : 1;
}
