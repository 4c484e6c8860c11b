#include <cstdio>
#include <cstring>

__global__ void sample(cudaTextureObject_t texture, float* out, int w) {
    int x = threadIdx.x;
    out[x] = tex2D<float>(texture, (x + 0.5f) / w, 0.5f);
}

int main() {
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &desc, 32, 32);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc texture;
    memset(&texture, 0, sizeof texture);
    cudaTextureObject_t object = 0;
    cudaCreateTextureObject(&object, &resource, &texture, nullptr);
    float* out;
    cudaMalloc(&out, 32 * sizeof(float));
    sample<<<1, 32>>>(object, out, 32);
    printf("passed\n");
}
