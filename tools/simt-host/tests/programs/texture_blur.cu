// An image blurred through a texture: bytes read as fractions of 1, between pixels, clamped at the edge.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                 \
    do {                                                                            \
        cudaError_t status = (call);                                                \
        if (status != cudaSuccess) {                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

const int WIDTH = 75, HEIGHT = 41;

// Four fetches between pixels are nine pixels, with the weights 1 2 1, 2 4 2, 1 2 1.
__global__ void blur(cudaTextureObject_t image, float4* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = x + 0.5f, v = y + 0.5f;
    const float4 a = tex2D<float4>(image, u - 0.5f, v - 0.5f), b = tex2D<float4>(image, u + 0.5f, v - 0.5f);
    const float4 c = tex2D<float4>(image, u - 0.5f, v + 0.5f), d = tex2D<float4>(image, u + 0.5f, v + 0.5f);
    out[y * width + x] = make_float4(0.25f * ((a.x + b.x) + (c.x + d.x)), 0.25f * ((a.y + b.y) + (c.y + d.y)),
                                     0.25f * ((a.z + b.z) + (c.z + d.z)), 0.25f * ((a.w + b.w) + (c.w + d.w)));
}

// Half the size, in coordinates from 0 to 1.
__global__ void shrink(cudaTextureObject_t image, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = tex2D<float4>(image, (x + 0.5f) / width, (y + 0.5f) / height).y;
}

unsigned int hash(const void* data, size_t bytes) {
    unsigned int h = 2166136261u;
    for (size_t i = 0; i < bytes; i++) h = (h ^ ((const unsigned char*)data)[i]) * 16777619u;
    return h;
}

int main() {
    uchar4* pixels = (uchar4*)malloc(WIDTH * HEIGHT * sizeof(uchar4));
    unsigned int state = 12345;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        state = state * 1664525u + 1013904223u;
        pixels[i] = make_uchar4(state >> 24, state >> 16, (i % WIDTH) * 3, (i / WIDTH) * 5);
    }
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    CHECK(cudaMallocArray(&array, &format, WIDTH, HEIGHT));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, pixels, WIDTH * sizeof(uchar4), WIDTH * sizeof(uchar4), HEIGHT, cudaMemcpyHostToDevice));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t image = 0, normalised = 0;
    CHECK(cudaCreateTextureObject(&image, &resource, &how, nullptr));
    how.normalizedCoords = 1;
    how.addressMode[0] = cudaAddressModeWrap;
    CHECK(cudaCreateTextureObject(&normalised, &resource, &how, NULL));

    float4 *d_out, *out = (float4*)malloc(WIDTH * HEIGHT * sizeof(float4));
    CHECK(cudaMalloc(&d_out, WIDTH * HEIGHT * sizeof(float4)));
    const dim3 block(16, 8), grid((WIDTH + 15) / 16, (HEIGHT + 7) / 8);
    blur<<<grid, block>>>(image, d_out, WIDTH, HEIGHT);
    CHECK(cudaMemcpy(out, d_out, WIDTH * HEIGHT * sizeof(float4), cudaMemcpyDeviceToHost));
    printf("blurred %08x, (0, 0) %.9g %.9g, (40, 20) %.9g %.9g %.9g %.9g\n", hash(out, WIDTH * HEIGHT * sizeof(float4)),
           out[0].x, out[0].z, out[20 * WIDTH + 40].x, out[20 * WIDTH + 40].y, out[20 * WIDTH + 40].z, out[20 * WIDTH + 40].w);

    const int w = WIDTH / 2, h = HEIGHT / 2;
    float *d_small, *small = (float*)malloc(w * h * sizeof(float));
    CHECK(cudaMalloc(&d_small, w * h * sizeof(float)));
    shrink<<<grid, block>>>(normalised, d_small, w, h);
    CHECK(cudaMemcpy(small, d_small, w * h * sizeof(float), cudaMemcpyDeviceToHost));
    printf("shrunk %08x, (3, 3) %.9g\n", hash(small, w * h * sizeof(float)), small[3 * w + 3]);

    CHECK(cudaDestroyTextureObject(image));
    CHECK(cudaDestroyTextureObject(normalised));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_small));
    free(pixels);
    free(out);
    free(small);
    return 0;
}
