#include <stdio.h>

struct Part { int first, count; };

__global__ void child(int* out, Part part) {
    if (threadIdx.x < part.count) out[part.first + threadIdx.x] = threadIdx.x;
}

__global__ void parent(int* out) {
    if (threadIdx.x == 0) child<<<1, 32>>>(out, Part{0, 32});
}

int main() {
    int *d, h[32];
    cudaMalloc(&d, sizeof h);
    parent<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf(h[31] == 31 ? "passed\n" : "FAILED\n");
}
