#include <stdio.h>

__global__ void lanes(unsigned* out) {
    unsigned lane = threadIdx.x;
    asm volatile("vadd.u32.u32.u32 %0, %0, 0;" : "+r"(lane));
    out[threadIdx.x] = lane;
}

int main() {
    unsigned *d, h[32];
    cudaMalloc(&d, sizeof h);
    lanes<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf(h[31] == 31 ? "passed\n" : "FAILED\n");
}
