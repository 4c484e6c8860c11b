// The occupancy calls: blocks a multiprocessor, a block size proposed, attributes of a kernel.
#include <cstdio>
#include <iostream>

__global__ void square(int* array, int count) {
    extern __shared__ int dynamicSmem[];
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < count) array[idx] *= array[idx];
}

__global__ void __launch_bounds__(256) bounded(float* x) {
    __shared__ float s[1024];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[255 - threadIdx.x];
}

int main() {
    cudaDeviceProp prop;
    int device, numBlocks = 0, blockSize = 128;
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&prop, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, square, blockSize, 0);
    int activeWarps = numBlocks * blockSize / prop.warpSize;
    int maxWarps = prop.maxThreadsPerMultiProcessor / prop.warpSize;
    std::cout << "Occupancy: " << (double)activeWarps / maxWarps * 100 << "%" << std::endl;

    int withShared = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&withShared, square, blockSize, 40 * 1024);
    std::cout << "with 40 KiB: fewer " << (withShared < numBlocks) << ", at least one " << (withShared >= 1) << std::endl;

    int minGrid = 0, best = 0;
    cudaOccupancyMaxPotentialBlockSize(&minGrid, &best, (void*)square, 0, 0);
    std::cout << "block size is a multiple of 32: " << (best % 32 == 0 && best > 0) << std::endl;

    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, bounded);
    std::cout << "shared " << attributes.sharedSizeBytes << ", most threads " << attributes.maxThreadsPerBlock << std::endl;

    const int count = 1000;
    int *array, h[count];
    for (int i = 0; i < count; ++i) h[i] = i;
    cudaMalloc(&array, sizeof h);
    cudaMemcpy(array, h, sizeof h, cudaMemcpyHostToDevice);
    int gridSize = (count + best - 1) / best;
    square<<<gridSize, best>>>(array, count);
    cudaMemcpy(h, array, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(array);
    for (int i = 0; i < count; ++i)
        if (h[i] != i * i) {
            std::cout << "FAILED" << std::endl;
            return 1;
        }
    bool ok = attributes.sharedSizeBytes == 4096 && attributes.maxThreadsPerBlock == 256 && withShared >= 1;
    std::cout << (ok ? "passed" : "FAILED") << std::endl;
    return ok ? 0 : 1;
}
