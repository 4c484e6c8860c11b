// Least significant digit first, four bits at a time, each pass: count, scan, scatter.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <random>

static const int RADIX_BITS = 4;
static const int RADIX = 1 << RADIX_BITS;
static const int THREADS = 128;

__global__ void count_digits(const unsigned* keys, unsigned n, int shift, unsigned* counts) {
    __shared__ unsigned c[RADIX];
    if (threadIdx.x < RADIX) c[threadIdx.x] = 0;
    __syncthreads();
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&c[(keys[i] >> shift) & (RADIX - 1)], 1);
    __syncthreads();
    if (threadIdx.x < RADIX) counts[threadIdx.x * gridDim.x + blockIdx.x] = c[threadIdx.x];
}

__global__ void scan_counts(unsigned* counts, unsigned n) {
    extern __shared__ unsigned buffer[];
    unsigned carry = 0;
    for (unsigned start = 0; start < n; start += blockDim.x) {
        unsigned i = start + threadIdx.x;
        unsigned v = i < n ? counts[i] : 0;
        buffer[threadIdx.x] = v;
        __syncthreads();
        for (unsigned d = 1; d < blockDim.x; d <<= 1) {
            unsigned t = threadIdx.x >= d ? buffer[threadIdx.x - d] : 0;
            __syncthreads();
            buffer[threadIdx.x] += t;
            __syncthreads();
        }
        if (i < n) counts[i] = carry + buffer[threadIdx.x] - v;
        carry += buffer[blockDim.x - 1];
        __syncthreads();
    }
}

__global__ void scatter(const unsigned* keys, unsigned* out, unsigned n, int shift, const unsigned* offsets) {
    __shared__ unsigned digits[THREADS];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned digit = i < n ? (keys[i] >> shift) & (RADIX - 1) : RADIX;
    digits[threadIdx.x] = digit;
    __syncthreads();
    if (i < n) {
        unsigned rank = 0;
        for (unsigned t = 0; t < threadIdx.x; ++t) rank += digits[t] == digit;
        out[offsets[digit * gridDim.x + blockIdx.x] + rank] = keys[i];
    }
}

int main() {
    const unsigned n = 4000;
    std::mt19937 gen(42);
    std::uniform_int_distribution<unsigned> dist(0, 0xffffffffu);
    std::vector<unsigned> keys(n);
    std::generate(keys.begin(), keys.end(), [&]() { return dist(gen); });

    const unsigned blocks = (n + THREADS - 1) / THREADS;
    unsigned *a, *b, *counts;
    cudaMalloc(&a, n * sizeof(unsigned));
    cudaMalloc(&b, n * sizeof(unsigned));
    cudaMalloc(&counts, RADIX * blocks * sizeof(unsigned));
    cudaMemcpy(a, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    for (int shift = 0; shift < 32; shift += RADIX_BITS) {
        count_digits<<<blocks, THREADS>>>(a, n, shift, counts);
        scan_counts<<<1, 256, 256 * sizeof(unsigned)>>>(counts, RADIX * blocks);
        scatter<<<blocks, THREADS>>>(a, b, n, shift, counts);
        std::swap(a, b);
    }
    std::vector<unsigned> result(n);
    cudaMemcpy(result.data(), a, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    std::sort(keys.begin(), keys.end());
    int wrong = 0;
    for (unsigned i = 0; i < n; ++i)
        if (keys[i] != result[i]) ++wrong;
    printf("first %u, middle %u, last %u, wrong %d\n", result[0], result[n / 2], result[n - 1], wrong);
    cudaFree(a);
    cudaFree(b);
    cudaFree(counts);
    if (wrong == 0) printf("PASSED\n");
    else printf("FAILED\n");
    return wrong != 0;
}
