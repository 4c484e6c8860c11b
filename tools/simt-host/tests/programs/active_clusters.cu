// What cudaOccupancyMaxActiveClusters says: a line per size of a cluster, threads per block and shared memory.
#include <stdio.h>
__global__ void k(int* p) { extern __shared__ int s[]; s[threadIdx.x] = 1; p[blockIdx.x] = s[0]; }
int main() {
    cudaFuncSetAttribute(k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
    for (int threads : {32, 256, 1024})
        for (int shared : {1024, 100 * 1024, 200 * 1024})
            for (unsigned size : {1u, 2u, 3u, 4u, 6u, 8u, 12u, 16u, 17u}) {
                cudaLaunchConfig_t config = {};
                config.gridDim = dim3(size * 64); config.blockDim = dim3(threads); config.dynamicSmemBytes = shared;
                cudaLaunchAttribute a; a.id = cudaLaunchAttributeClusterDimension;
                a.val.clusterDim.x = size; a.val.clusterDim.y = a.val.clusterDim.z = 1;
                config.attrs = &a; config.numAttrs = 1;
                int n = -1, e = cudaOccupancyMaxActiveClusters(&n, k, &config), each = -1;
                cudaGetLastError();
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, k, threads, shared);
                printf("threads %d shared %d cluster %u: %d clusters (error %d), %d blocks a multiprocessor\n", threads, shared, size, n, e, each);
            }
    cudaLaunchConfig_t config = {}; config.gridDim = dim3(64); config.blockDim = dim3(256);
    int size = -1, e = cudaOccupancyMaxPotentialClusterSize(&size, k, &config);
    printf("potential %d error %d\n", size, e);
}
