// __managed__ variables, written on both sides.
#include <stdio.h>

__device__ __managed__ int counter = 5;
__managed__ float table[64];

__global__ void bump(int by) {
    atomicAdd(&counter, by);
    table[threadIdx.x] = 0.25f * threadIdx.x;
}

int main() {
    counter += 10;
    bump<<<2, 64>>>(2);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("counter %d, table[63] %.2f\n", counter, table[63]);
    bool ok = counter == 15 + 256 && table[63] == 15.75f;
    printf("%s\n", ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
