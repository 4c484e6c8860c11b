// One launch: the last block to finish adds the others' sums.
#include <stdio.h>
#include <stdlib.h>

__device__ unsigned int retirementCount = 0;

__global__ void reduceSinglePass(const int *g_idata, volatile int *g_odata, unsigned int n)
{
    __shared__ int sdata[128];
    __shared__ bool amLast;
    int sum = 0;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += g_idata[i];
    sdata[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) sdata[threadIdx.x] += sdata[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        g_odata[blockIdx.x] = sdata[0];
        __threadfence();
        unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
        amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();
    if (amLast) {
        int v = 0;
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) v += g_odata[i];
        sdata[threadIdx.x] = v;
        __syncthreads();
        for (int s = blockDim.x / 2; s > 0; s >>= 1) {
            if (threadIdx.x < s) sdata[threadIdx.x] += sdata[threadIdx.x + s];
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            g_odata[0] = sdata[0];
            retirementCount = 0;
        }
    }
}

int main()
{
    const unsigned int n = 30000, blocks = 20;
    int *h = (int *)malloc(n * sizeof(int)), *in, *out, sum, want = 0;
    for (unsigned int i = 0; i < n; i++) want += h[i] = rand() & 0xff;
    cudaMalloc((void **)&in, n * sizeof(int));
    cudaMalloc((void **)&out, blocks * sizeof(int));
    cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice);
    int ok = 1;
    for (int round = 0; round < 3; round++) {
        reduceSinglePass<<<blocks, 128>>>(in, out, n);
        cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
        ok = ok && sum == want;
    }
    printf("GPU result = %d\nCPU result = %d\n", sum, want);
    printf("%s\n", ok ? "Test passed" : "Test failed!");
    cudaFree(in);
    cudaFree(out);
    free(h);
    return !ok;
}
