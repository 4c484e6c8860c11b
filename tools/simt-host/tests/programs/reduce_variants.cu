// The classic ladder of reductions, one function template per rung.
#include <cstdio>
#include <cstdlib>
#include <vector>

template <unsigned int blockSize>
__device__ void warpReduce(volatile int* sdata, unsigned int tid) {
    int v = sdata[tid];
    if (blockSize >= 64) v += sdata[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    if (tid == 0) sdata[0] = v;
}

__global__ void reduce_interleaved(const int* in, int* out, unsigned int n) {
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

__global__ void reduce_sequential(const int* in, int* out, unsigned int n) {
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

template <unsigned int blockSize>
__global__ void reduce_unrolled(const int* in, int* out, unsigned int n) {
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    int mine = 0;
    while (i < n) {
        mine += in[i];
        if (i + blockSize < n) mine += in[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mine;
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }
    if (tid < 32) warpReduce<blockSize>(sdata, tid);
    if (tid == 0) out[blockIdx.x] = sdata[0];
}

static long total(const std::vector<int>& partial) {
    long sum = 0;
    for (int p : partial) sum += p;
    return sum;
}

int main() {
    const unsigned int n = 100003;
    std::vector<int> h(n);
    long expected = 0;
    srand(2024);
    for (auto& x : h) {
        x = rand() % 100 - 50;
        expected += x;
    }
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    cudaMalloc(&out, blocks * sizeof(int));
    bool ok = true;
    for (int variant = 0; variant < 4; ++variant) {
        int used = blocks;
        switch (variant) {
            case 0:
                reduce_interleaved<<<blocks, threads, threads * sizeof(int)>>>(in, out, n);
                break;
            case 1:
                used = (blocks + 1) / 2;
                reduce_sequential<<<used, threads, threads * sizeof(int)>>>(in, out, n);
                break;
            case 2:
                used = 16;
                reduce_unrolled<256><<<used, 256, 256 * sizeof(int)>>>(in, out, n);
                break;
            default:
                used = 8;
                reduce_unrolled<512><<<used, 512, 512 * sizeof(int)>>>(in, out, n);
        }
        std::vector<int> partial(used);
        cudaMemcpy(partial.data(), out, used * sizeof(int), cudaMemcpyDeviceToHost);
        long sum = total(partial);
        printf("variant %d: %ld (%s)\n", variant, sum, sum == expected ? "ok" : "WRONG");
        ok = ok && sum == expected;
    }
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    cudaFree(in);
    cudaFree(out);
    if (!ok) return EXIT_FAILURE;
    printf("Test passed\n");
    return EXIT_SUCCESS;
}
