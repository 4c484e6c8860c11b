// Work-efficient exclusive scan over many blocks: scan, scan of the sums, addition.
#include <iostream>
#include <numeric>
#include <vector>
#include <cassert>

constexpr int THREADS = 128;
constexpr int ELEMENTS = 2 * THREADS;

#define CONFLICT_FREE(i) ((i) + ((i) >> 5))

__global__ void prescan(int* out, const int* in, int* sums, int n) {
    __shared__ int temp[CONFLICT_FREE(ELEMENTS - 1) + 1];
    const int tid = threadIdx.x;
    const int base = blockIdx.x * ELEMENTS;
    const int a = tid, b = tid + THREADS;
    temp[CONFLICT_FREE(a)] = base + a < n ? in[base + a] : 0;
    temp[CONFLICT_FREE(b)] = base + b < n ? in[base + b] : 0;
    int offset = 1;
    for (int d = ELEMENTS >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int ai = CONFLICT_FREE(offset * (2 * tid + 1) - 1);
            int bi = CONFLICT_FREE(offset * (2 * tid + 2) - 1);
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (tid == 0) {
        if (sums) sums[blockIdx.x] = temp[CONFLICT_FREE(ELEMENTS - 1)];
        temp[CONFLICT_FREE(ELEMENTS - 1)] = 0;
    }
    for (int d = 1; d < ELEMENTS; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int ai = CONFLICT_FREE(offset * (2 * tid + 1) - 1);
            int bi = CONFLICT_FREE(offset * (2 * tid + 2) - 1);
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    if (base + a < n) out[base + a] = temp[CONFLICT_FREE(a)];
    if (base + b < n) out[base + b] = temp[CONFLICT_FREE(b)];
}

__global__ void add_sums(int* out, const int* sums, int n) {
    int i = blockIdx.x * ELEMENTS + threadIdx.x;
    int s = sums[blockIdx.x];
    if (i < n) out[i] += s;
    if (i + THREADS < n) out[i + THREADS] += s;
}

void scan(int* d_out, const int* d_in, int n) {
    int blocks = (n + ELEMENTS - 1) / ELEMENTS;
    if (blocks == 1) {
        prescan<<<1, THREADS>>>(d_out, d_in, nullptr, n);
        return;
    }
    int *d_sums, *d_offsets;
    cudaMalloc(&d_sums, blocks * sizeof(int));
    cudaMalloc(&d_offsets, blocks * sizeof(int));
    prescan<<<blocks, THREADS>>>(d_out, d_in, d_sums, n);
    scan(d_offsets, d_sums, blocks);
    add_sums<<<blocks, THREADS>>>(d_out, d_offsets, n);
    cudaFree(d_sums);
    cudaFree(d_offsets);
}

int main() {
    for (int n : {1, 255, 256, 257, 5000, 70000}) {
        std::vector<int> in(n), out(n), expected(n);
        for (int i = 0; i < n; ++i) in[i] = (i * 7 + 3) % 11;
        int running = 0;
        for (int i = 0; i < n; ++i) {
            expected[i] = running;
            running += in[i];
        }
        int *d_in, *d_out;
        cudaMalloc(&d_in, n * sizeof(int));
        cudaMalloc(&d_out, n * sizeof(int));
        cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        scan(d_out, d_in, n);
        cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(d_in);
        cudaFree(d_out);
        assert(cudaGetLastError() == cudaSuccess);
        if (out != expected) {
            std::cout << "n = " << n << ": FAILED" << std::endl;
            return 1;
        }
        std::cout << "n = " << n << ": last prefix " << out.back() << std::endl;
    }
    std::cout << "All tests passed" << std::endl;
}
