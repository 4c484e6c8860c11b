#include <stdio.h>

__global__ void child(int* out) { out[threadIdx.x] = threadIdx.x; }

__global__ void parent(int* out) {
    if (threadIdx.x == 0) {
        child<<<1, 32>>>(out);
        cudaDeviceSynchronize();
        out[0] += out[31];
    }
}

int main() {
    int *d, h[32];
    cudaMalloc(&d, sizeof h);
    parent<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf(h[0] == 31 ? "passed\n" : "FAILED\n");
}
