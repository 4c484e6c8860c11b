// DeviceRadixSort orders each type as numbers: signs, floats, bytes, 64 bits.
#include <cmath>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

template <typename K> void sort(const char* name, std::vector<K> h, const char* format) {
    const int n = (int)h.size();
    K *in, *out;
    cudaMalloc(&in, n * sizeof(K));
    cudaMalloc(&out, n * sizeof(K));
    cudaMemcpy(in, h.data(), n * sizeof(K), cudaMemcpyHostToDevice);
    void* temp = nullptr;
    size_t bytes = 0;
    cub::DeviceRadixSort::SortKeys(temp, bytes, in, out, n);
    cudaMalloc(&temp, bytes);
    cub::DeviceRadixSort::SortKeys(temp, bytes, in, out, n);
    cudaMemcpy(h.data(), out, n * sizeof(K), cudaMemcpyDeviceToHost);
    printf("%s:", name);
    for (K v : h) printf(format, v);
    cub::DeviceRadixSort::SortKeysDescending(nullptr, bytes, in, out, n);
    cudaFree(temp);
    cudaMalloc(&temp, bytes);
    cub::DeviceRadixSort::SortKeysDescending(temp, bytes, in, out, n);
    cudaMemcpy(h.data(), out, n * sizeof(K), cudaMemcpyDeviceToHost);
    printf(" |");
    for (K v : h) printf(format, v);
    printf("\n");
    cudaFree(temp);
    cudaFree(in);
    cudaFree(out);
}

int main() {
    sort<int>("int", {3, -1, 2147483647, 0, -2147483647 - 1, 17, -5}, " %d");
    sort<unsigned>("unsigned", {3u, 4294967295u, 0u, 7u}, " %u");
    sort<float>("float", {1.5f, -2.25f, 0.0f, INFINITY, -INFINITY, 1e-30f, -1e30f}, " %g");
    sort<double>("double", {1e300, -1e-300, 2.0, -3.5, 0.125}, " %g");
    sort<signed char>("char", {5, -128, 127, -1, 0}, " %d");
    sort<unsigned char>("byte", {5, 128, 255, 0}, " %d");
    sort<short>("short", {-32768, 32767, 12, -12}, " %d");
    sort<long long>("long long", {1LL << 40, -(1LL << 41), 5, -5}, " %lld");
    sort<unsigned long long>("unsigned long long", {1ULL << 63, 1, ~0ULL, 0}, " %llu");
}
