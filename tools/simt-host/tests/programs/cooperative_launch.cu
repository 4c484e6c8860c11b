// A grid that waits for itself: grid.sync() in a cooperative launch, void* arguments.
#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>

namespace cg = cooperative_groups;

__global__ void reduceAll(const int *in, long long *partial, long long *total, int n)
{
    cg::grid_group grid = cg::this_grid();
    __shared__ long long block[128];
    long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    block[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) block[threadIdx.x] += block[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = block[0];
    grid.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        long long t = 0;
        for (int b = 0; b < gridDim.x; b++) t += partial[b];
        *total = t;
    }
}

int main()
{
    int device = 0, supported = 0, perSm = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device);
    if (!supported) {
        printf("Selected GPU does not support Cooperative Kernel Launch, waiving the run\n");
        exit(2);
    }
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, reduceAll, 128, 0);
    int blocks = perSm * prop.multiProcessorCount < 8 ? perSm * prop.multiProcessorCount : 8;
    printf("blocks: %d\n", blocks);
    int n = 5000;
    int *in;
    long long *partial, *total;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&partial, blocks * sizeof(long long));
    cudaMallocManaged(&total, sizeof(long long));
    long long want = 0;
    for (int i = 0; i < n; i++) want += in[i] = i % 77 * 1000;
    void *args[] = {(void *)&in, (void *)&partial, (void *)&total, (void *)&n};
    dim3 dimGrid(blocks, 1, 1), dimBlock(128, 1, 1);
    cudaError_t e = cudaLaunchCooperativeKernel((void *)reduceAll, dimGrid, dimBlock, args, 0, NULL);
    if (e == cudaSuccess) e = cudaDeviceSynchronize();
    printf("%s: %lld\n", cudaGetErrorString(e), *total);
    int ok = e == cudaSuccess && *total == want;
    printf("%s\n", ok ? "passed" : "FAILED");
    cudaFree(in);
    cudaFree(partial);
    cudaFree(total);
    return !ok;
}
