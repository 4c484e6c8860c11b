#include <curand_kernel.h>
#include <stdio.h>

__global__ void draw(float* out, unsigned long long seed) {
    curandStateMRG32k3a_t state;
    curand_init(seed, threadIdx.x, 0, &state);
    out[threadIdx.x] = curand_uniform(&state);
}

int main() {
    float* d;
    cudaMalloc(&d, 32 * sizeof(float));
    draw<<<1, 32>>>(d, 42);
    printf("passed\n");
}
