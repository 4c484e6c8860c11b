#include <stdio.h>

__global__ void child(int* out) { out[threadIdx.x] = threadIdx.x; }

__global__ void parent(int* out) {
    if (threadIdx.x == 0) child<<<1, 32>>>(out);
}

int main() {
    int *d, h[32];
    cudaMalloc(&d, sizeof h);
    parent<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf(h[31] == 31 ? "passed\n" : "FAILED\n");
}
