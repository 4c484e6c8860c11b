// 256 bins: in global memory, and first in shared memory.
#include <cstdio>
#include <cstring>
#include <cstdlib>

#define NUM_BINS 256
typedef unsigned char uchar;

__global__ void histogram_global(const uchar* data, int n, unsigned int* bins) {
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins[data[i]], 1u);
}

__global__ void histogram_shared(const uchar* data, int n, unsigned int* bins) {
    __shared__ unsigned int local[NUM_BINS];
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) local[b] = 0;
    __syncthreads();
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(local + data[i], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x)
        if (local[b]) atomicAdd(&bins[b], local[b]);
}

void cpu_histogram(const uchar* data, int n, unsigned int* bins) {
    memset(bins, 0, NUM_BINS * sizeof(unsigned int));
    for (int i = 0; i < n; i++) bins[data[i]]++;
}

int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    uchar* data = (uchar*)malloc(n);
    unsigned int state = 12345;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (uchar)((state >> 24) & (state >> 16));
    }
    unsigned int expected[NUM_BINS], got[NUM_BINS];
    cpu_histogram(data, n, expected);

    uchar* d_data;
    unsigned int* d_bins;
    cudaMalloc((void**)&d_data, n);
    cudaMalloc((void**)&d_bins, sizeof(got));
    cudaMemcpy(d_data, data, n, cudaMemcpyHostToDevice);

    int errors = 0;
    for (int which = 0; which < 2; which++) {
        cudaMemset(d_bins, 0, sizeof(got));
        if (which == 0) histogram_global<<<24, 192>>>(d_data, n, d_bins);
        else histogram_shared<<<24, 192>>>(d_data, n, d_bins);
        cudaMemcpy(got, d_bins, sizeof(got), cudaMemcpyDeviceToHost);
        int bad = memcmp(got, expected, sizeof(got)) != 0;
        printf("%s: bin[0] = %u, bin[255] = %u %s\n", which ? "shared" : "global", got[0], got[255], bad ? "MISMATCH" : "match");
        errors += bad;
    }
    cudaFree(d_data);
    cudaFree(d_bins);
    free(data);
    if (errors) {
        printf("FAILED\n");
        return 1;
    }
    printf("PASSED\n");
    return 0;
}
