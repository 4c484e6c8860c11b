// DeviceRadixSort with double buffers: pairs, keys, descending, some bits.
#include <cstdio>
#include <cub/device/device_radix_sort.cuh>
#include <vector>

int main() {
    const int n = 5000;
    std::vector<unsigned> k(n);
    std::vector<int> v(n);
    unsigned x = 12345;
    for (int i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        k[i] = x >> 8;
        v[i] = i;
    }
    unsigned *k0, *k1;
    int *v0, *v1;
    cudaMalloc(&k0, n * 4);
    cudaMalloc(&k1, n * 4);
    cudaMalloc(&v0, n * 4);
    cudaMalloc(&v1, n * 4);
    for (int round = 0; round < 3; round++) {
        cudaMemcpy(k0, k.data(), n * 4, cudaMemcpyHostToDevice);
        cudaMemcpy(v0, v.data(), n * 4, cudaMemcpyHostToDevice);
        cub::DoubleBuffer<unsigned> keys(k0, k1);
        cub::DoubleBuffer<int> values(v0, v1);
        int begin = round == 2 ? 8 : 0, end = round == 2 ? 16 : 32;
        void* temp = nullptr;
        size_t bytes = 0;
        for (int pass = 0; pass < 2; pass++) {
            cudaError_t error;
            if (round == 1) error = cub::DeviceRadixSort::SortPairsDescending(temp, bytes, keys, values, n, begin, end);
            else error = cub::DeviceRadixSort::SortPairs(temp, bytes, keys, values, n, begin, end);
            if (error != cudaSuccess) printf("error %s\n", cudaGetErrorString(error));
            if (pass == 0) cudaMalloc(&temp, bytes);
        }
        std::vector<unsigned> a(n);
        std::vector<int> b(n);
        cudaMemcpy(a.data(), keys.Current(), n * 4, cudaMemcpyDeviceToHost);
        cudaMemcpy(b.data(), values.Current(), n * 4, cudaMemcpyDeviceToHost);
        unsigned hash = 0;
        for (int i = 0; i < n; i++) hash = hash * 31 + a[i] + (unsigned)b[i] * 7;
        printf("round %d: %u %u .. %u, places %d %d .. %d, hash %08x\n", round, a[0], a[1], a[n - 1], b[0], b[1], b[n - 1], hash);
        cudaFree(temp);
    }
}
