#include <cstdio>

texture<float, cudaTextureType2D, cudaReadModeElementType> image;

__global__ void sample(float* out, int w) {
    int x = threadIdx.x;
    out[x] = tex2D(image, (x + 0.5f) / w, 0.5f);
}

int main() {
    cudaArray* array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &desc, 32, 32);
    cudaBindTextureToArray(image, array, desc);
    float* out;
    cudaMalloc(&out, 32 * sizeof(float));
    sample<<<1, 32>>>(out, 32);
    printf("passed\n");
}
