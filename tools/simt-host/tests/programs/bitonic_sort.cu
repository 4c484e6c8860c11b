// Bitonic sort: in shared memory for a block, over global memory above that.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr uint32_t BLOCK = 512;

__device__ inline void comparator(uint32_t& a, uint32_t& b, bool up) {
    if ((a > b) == up) {
        uint32_t t = a;
        a = b;
        b = t;
    }
}

__global__ void sort_shared(uint32_t* keys) {
    __shared__ uint32_t s[BLOCK];
    uint32_t* base = keys + blockIdx.x * BLOCK;
    s[threadIdx.x] = base[threadIdx.x];
    s[threadIdx.x + BLOCK / 2] = base[threadIdx.x + BLOCK / 2];
    for (uint32_t size = 2; size <= BLOCK; size <<= 1) {
        bool up = size == BLOCK ? (blockIdx.x & 1) == 0 : (threadIdx.x & (size / 2)) == 0;
        for (uint32_t stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            uint32_t pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            comparator(s[pos], s[pos + stride], up);
        }
    }
    __syncthreads();
    base[threadIdx.x] = s[threadIdx.x];
    base[threadIdx.x + BLOCK / 2] = s[threadIdx.x + BLOCK / 2];
}

__global__ void merge_global(uint32_t* keys, uint32_t size, uint32_t stride) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    bool up = (i & (size / 2)) == 0;
    uint32_t pos = 2 * i - (i & (stride - 1));
    uint32_t a = keys[pos], b = keys[pos + stride];
    comparator(a, b, up);
    keys[pos] = a;
    keys[pos + stride] = b;
}

int main() {
    const uint32_t n = 1u << 13;
    std::vector<uint32_t> keys(n);
    uint32_t x = 88172645u;
    for (uint32_t i = 0; i < n; ++i) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        keys[i] = x;
    }
    uint32_t* d;
    cudaMalloc(&d, n * sizeof(uint32_t));
    cudaMemcpy(d, keys.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice);
    sort_shared<<<n / BLOCK, BLOCK / 2>>>(d);
    for (uint32_t size = 2 * BLOCK; size <= n; size <<= 1)
        for (uint32_t stride = size / 2; stride > 0; stride >>= 1)
            merge_global<<<n / 512, 256>>>(d, size, stride);
    std::vector<uint32_t> sorted(n);
    cudaMemcpy(sorted.data(), d, n * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(d);
    std::sort(keys.begin(), keys.end());
    bool ok = std::equal(keys.begin(), keys.end(), sorted.begin());
    std::printf("smallest %08x, largest %08x\n", sorted.front(), sorted.back());
    std::printf(ok ? "sort passed\n" : "sort FAILED\n");
    return ok ? 0 : 1;
}
