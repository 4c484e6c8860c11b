#include <cstdio>

__global__ void sample(cudaTextureObject_t layers, float* out) {
    out[threadIdx.x] = tex2DLayered<float>(layers, 0.5f, 0.5f, threadIdx.x);
}

int main() {
    float* out;
    cudaMalloc(&out, 32 * sizeof(float));
    sample<<<1, 32>>>(0, out);
    printf("passed\n");
}
