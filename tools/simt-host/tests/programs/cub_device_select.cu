// DeviceSelect: by flags, by a predicate, the first of equal ones, also by key.
#include <cstdio>
#include <cub/device/device_select.cuh>
#include <vector>

struct Below {
    int limit;
    __host__ __device__ bool operator()(const int& a) const { return a < limit; }
};

void show(const char* name, const int* out, const int* count) {
    int n = 0;
    cudaMemcpy(&n, count, sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> h(n);
    cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned hash = 5381;
    for (int v : h) hash = hash * 33 + (unsigned)v;
    printf("%-12s %d kept, first %d, last %d, hash %08x\n", name, n, h[0], h[n - 1], hash);
}

int main() {
    const int n = 4321;
    std::vector<int> h(n), v(n);
    std::vector<char> f(n);
    for (int i = 0; i < n; i++) {
        h[i] = i / 4 * 13 % 101;
        v[i] = i;
        f[i] = i % 3 == 1;
    }
    int *in, *values, *out, *values_out, *count;
    char* flags;
    cudaMalloc(&in, n * 4);
    cudaMalloc(&values, n * 4);
    cudaMalloc(&out, n * 4);
    cudaMalloc(&values_out, n * 4);
    cudaMalloc(&count, 4);
    cudaMalloc(&flags, n);
    cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(values, v.data(), n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(flags, f.data(), n, cudaMemcpyHostToDevice);
    void* temp = nullptr;
    size_t bytes = 0, most = 0;
    cub::DeviceSelect::Flagged(nullptr, bytes, in, flags, out, count, n);
    most = bytes;
    cub::DeviceSelect::If(nullptr, bytes, in, out, count, n, Below{40});
    if (bytes > most) most = bytes;
    cub::DeviceSelect::Unique(nullptr, bytes, in, out, count, n);
    if (bytes > most) most = bytes;
    cub::DeviceSelect::UniqueByKey(nullptr, bytes, in, values, out, values_out, count, n);
    if (bytes > most) most = bytes;
    cudaMalloc(&temp, most);
    cub::DeviceSelect::Flagged(temp, most, in, flags, out, count, n);
    show("flagged", out, count);
    cub::DeviceSelect::If(temp, most, in, out, count, n, Below{40});
    show("if", out, count);
    cub::DeviceSelect::Unique(temp, most, in, out, count, n);
    show("unique", out, count);
    cub::DeviceSelect::UniqueByKey(temp, most, in, values, out, values_out, count, n);
    show("keys", out, count);
    show("values", values_out, count);
}
