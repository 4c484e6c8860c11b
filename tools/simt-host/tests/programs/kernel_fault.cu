// A kernel that faults: the error stays until the end of the program.
#include <stdio.h>

__global__ void wild(int *p) { p[threadIdx.x] = 1; }
__global__ void fine() {}

int main(void)
{
    int *d;
    cudaMalloc(&d, 32 * sizeof(int));
    wild<<<1, 32>>>(nullptr);
    cudaError_t launch = cudaGetLastError();
    cudaError_t sync = cudaDeviceSynchronize();
    printf("launch: %s\n", cudaGetErrorName(launch));
    printf("synchronize: %s\n", cudaGetErrorName(sync));
    printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("still there: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    fine<<<1, 1>>>();
    printf("another launch: %s\n", cudaGetErrorName(cudaGetLastError()));
    int h;
    printf("copy: %s\n", cudaGetErrorName(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost)));
    int ok = launch == cudaSuccess && sync == cudaErrorIllegalAddress;
    printf("%s\n", ok ? "passed" : "FAILED");
    return !ok;
}
