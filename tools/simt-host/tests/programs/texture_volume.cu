// A volume of floats, sampled along rays between its texels; a table of two channels, and a line.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                                 \
    do {                                                                            \
        cudaError_t status = (call);                                                \
        if (status != cudaSuccess) {                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

const int N = 12;

__global__ void march(cudaTextureObject_t volume, cudaTextureObject_t table, float* out, int rays) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rays) return;
    float sum = 0;
    for (int step = 0; step < 20; step++) {
        const float at = step * 0.07f - 0.2f;
        const float density = tex3D<float>(volume, i * 0.013f, at, 0.5f + 0.3f * at);
        const float2 weight = tex1D<float2>(table, fabsf(density) * 4.0f);
        sum += density * weight.x + weight.y;
    }
    out[i] = sum;
}

__global__ void list(cudaTextureObject_t linear, int* out, int n) {
    const int i = threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<int>(linear, n - 1 - i) + tex1Dfetch<int>(linear, i + 1);
}

unsigned int hash(const void* data, size_t bytes) {
    unsigned int h = 2166136261u;
    for (size_t i = 0; i < bytes; i++) h = (h ^ ((const unsigned char*)data)[i]) * 16777619u;
    return h;
}

int main() {
    std::vector<float> texels(N * N * N);
    unsigned int state = 99;
    for (float& t : texels) {
        state = state * 1664525u + 1013904223u;
        t = (int)(state >> 8) / 8388608.0f - 1.0f;
    }
    cudaArray_t volume;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    CHECK(cudaMalloc3DArray(&volume, &one, make_cudaExtent(N, N, N)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), N * sizeof(float), N, N);
    copy.dstArray = volume;
    copy.extent = make_cudaExtent(N, N, N);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));

    cudaArray_t table;
    cudaChannelFormatDesc two = cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindFloat);
    CHECK(cudaMallocArray(&table, &two, 4));
    const float2 rows[4] = {{0.0f, 0.5f}, {1.0f, -0.25f}, {0.75f, 3.0f}, {-2.0f, 0.1f}};
    CHECK(cudaMemcpy2DToArray(table, 0, 0, rows, sizeof rows, sizeof rows, 1, cudaMemcpyHostToDevice));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = volume;
    cudaTextureDesc how = {};
    how.addressMode[0] = cudaAddressModeWrap;
    how.addressMode[1] = cudaAddressModeMirror;
    how.addressMode[2] = cudaAddressModeBorder;
    how.borderColor[0] = 0.75f;
    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    cudaTextureObject_t in_volume, in_table, in_line;
    CHECK(cudaCreateTextureObject(&in_volume, &resource, &how, nullptr));
    resource.res.array.array = table;
    how.addressMode[0] = cudaAddressModeClamp;
    how.normalizedCoords = 0;
    CHECK(cudaCreateTextureObject(&in_table, &resource, &how, nullptr));

    const int rays = 100;
    float *d_out, out[rays];
    CHECK(cudaMalloc(&d_out, sizeof out));
    march<<<1, 128>>>(in_volume, in_table, d_out, rays);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    printf("rays %08x: %.9g %.9g %.9g\n", hash(out, sizeof out), out[0], out[42], out[99]);

    int line[32], *d_line, *d_sums, sums[32];
    for (int i = 0; i < 32; i++) line[i] = i * i - 7;
    CHECK(cudaMalloc(&d_line, sizeof line));
    CHECK(cudaMalloc(&d_sums, sizeof sums));
    CHECK(cudaMemcpy(d_line, line, sizeof line, cudaMemcpyHostToDevice));
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = d_line;
    memory.res.linear.desc = cudaCreateChannelDesc<int>();
    memory.res.linear.sizeInBytes = sizeof line;
    cudaTextureDesc plain = {};
    plain.readMode = cudaReadModeElementType;
    CHECK(cudaCreateTextureObject(&in_line, &memory, &plain, nullptr));
    list<<<1, 32>>>(in_line, d_sums, 32);
    CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    printf("line:");
    for (int i = 0; i < 32; i += 5) printf(" %d", sums[i]);
    printf(" %d\n", sums[31]);

    CHECK(cudaDestroyTextureObject(in_volume));
    CHECK(cudaDestroyTextureObject(in_table));
    CHECK(cudaDestroyTextureObject(in_line));
    CHECK(cudaFreeArray(volume));
    CHECK(cudaFreeArray(table));
    CHECK(cudaFree(d_line));
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_out));
    return 0;
}
