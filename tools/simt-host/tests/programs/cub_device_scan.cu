// DeviceScan: sums and operators, before and with each element, and by key.
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

struct Max {
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

#define CALL(what, ...)                            \
    do {                                           \
        void* temp = nullptr;                      \
        size_t bytes = 0;                          \
        what(temp, bytes, __VA_ARGS__);            \
        cudaMalloc(&temp, bytes);                  \
        if (what(temp, bytes, __VA_ARGS__)) puts("error"); \
        cudaFree(temp);                            \
    } while (0)

void show(const char* name, const int* d, int n) {
    std::vector<int> h(n);
    cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned hash = 2166136261u;
    for (int v : h) hash = (hash ^ (unsigned)v) * 16777619u;
    printf("%-16s %d %d %d .. %d, hash %08x\n", name, h[0], h[1], h[2], h[n - 1], hash);
}

int main() {
    const int n = 10001;
    std::vector<int> h(n), k(n);
    for (int i = 0; i < n; i++) {
        h[i] = (i * 31) % 17 - 7;
        k[i] = i / 37;
    }
    int *in, *out, *keys;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&keys, n * sizeof(int));
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(keys, k.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    CALL(cub::DeviceScan::InclusiveSum, in, out, n);
    show("inclusive sum", out, n);
    CALL(cub::DeviceScan::ExclusiveSum, in, out, n);
    show("exclusive sum", out, n);
    CALL(cub::DeviceScan::InclusiveScan, in, out, Max(), n);
    show("inclusive max", out, n);
    CALL(cub::DeviceScan::ExclusiveScan, in, out, Max(), -100, n);
    show("exclusive max", out, n);
    CALL(cub::DeviceScan::InclusiveSumByKey, keys, in, out, n);
    show("sum by key", out, n);
    CALL(cub::DeviceScan::ExclusiveSumByKey, keys, in, out, n);
    show("before, by key", out, n);
    CALL(cub::DeviceScan::InclusiveScanByKey, keys, in, out, Max(), n);
    show("max by key", out, n);
}
