// DeviceHistogram: even bins, given levels, and the channels of an image.
#include <cstdio>
#include <cub/cub.cuh>

int main() {
    const int n = 6000;
    float* samples;
    unsigned char* pixels;
    int* counts;
    float* levels;
    cudaMallocManaged(&samples, n * sizeof(float));
    cudaMallocManaged(&pixels, n * 4);
    cudaMallocManaged(&counts, 3 * 256 * sizeof(int));
    cudaMallocManaged(&levels, 6 * sizeof(float));
    for (int i = 0; i < n; i++) {
        samples[i] = (float)((i * 37) % 128) / 8.0f - 1.0f;
        for (int c = 0; c < 4; c++) pixels[4 * i + c] = (unsigned char)(i * (c + 3) / 5);
    }
    void* temp = nullptr;
    size_t bytes = 0;
    cub::DeviceHistogram::HistogramEven(temp, bytes, samples, counts, 9, 0.0f, 12.0f, n);
    cudaMalloc(&temp, bytes);
    cub::DeviceHistogram::HistogramEven(temp, bytes, samples, counts, 9, 0.0f, 12.0f, n);
    cudaDeviceSynchronize();
    printf("even:");
    for (int i = 0; i < 8; i++) printf(" %d", counts[i]);
    cudaFree(temp);

    const float edges[6] = {0.0f, 2.0f, 4.0f, 6.0f, 8.0f, 12.5f};
    for (int i = 0; i < 6; i++) levels[i] = edges[i];
    temp = nullptr;
    cub::DeviceHistogram::HistogramRange(temp, bytes, samples, counts, 6, levels, n);
    cudaMalloc(&temp, bytes);
    cub::DeviceHistogram::HistogramRange(temp, bytes, samples, counts, 6, levels, n);
    cudaDeviceSynchronize();
    printf("\nrange:");
    for (int i = 0; i < 5; i++) printf(" %d", counts[i]);
    cudaFree(temp);

    int* of_channel[3] = {counts, counts + 256, counts + 512};
    int sizes[3] = {257, 257, 257};
    unsigned lower[3] = {0, 0, 0}, upper[3] = {256, 256, 256};
    temp = nullptr;
    cub::DeviceHistogram::MultiHistogramEven<4, 3>(temp, bytes, pixels, of_channel, sizes, lower, upper, n);
    cudaMalloc(&temp, bytes);
    cub::DeviceHistogram::MultiHistogramEven<4, 3>(temp, bytes, pixels, of_channel, sizes, lower, upper, n);
    cudaDeviceSynchronize();
    for (int c = 0; c < 3; c++) {
        unsigned hash = 0;
        for (int i = 0; i < 256; i++) hash = hash * 131 + (unsigned)counts[256 * c + i];
        printf("\nchannel %d: %d %d .. %d, hash %08x", c, counts[256 * c], counts[256 * c + 1], counts[256 * c + 255], hash);
    }
    printf("\n");
}
