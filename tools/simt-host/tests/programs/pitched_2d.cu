// Rows with padding: cudaMallocPitch, cudaMemcpy2D, cudaMemset2D, a part of a picture.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(e) do { cudaError_t r = e; if (r != cudaSuccess) { printf("%s: %s\n", #e, cudaGetErrorString(r)); return 1; } } while (0)

__global__ void increment(unsigned char *data, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        unsigned char *row = data + y * pitch;
        row[x] = row[x] + x + y;
    }
}

int main()
{
    const int width = 100, height = 37;
    unsigned char host[height][width], back[height][width];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) host[y][x] = (unsigned char)(x ^ y);
    unsigned char *d;
    size_t pitch;
    CHECK(cudaMallocPitch((void **)&d, &pitch, width, height));
    printf("pitch is at least the width: %d, a multiple of 32: %d\n", pitch >= width, pitch % 32 == 0);
    CHECK(cudaMemset2D(d, pitch, 9, width, height));
    // All but a border of two.
    CHECK(cudaMemcpy2D(d + 2 * pitch + 2, pitch, &host[2][2], width, width - 4, height - 4, cudaMemcpyHostToDevice));
    dim3 block(16, 16), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    increment<<<grid, block>>>(d, pitch, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2D(back, width, d, pitch, width, height, cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int inner = x >= 2 && y >= 2 && x < width - 2 && y < height - 2;
            bad += back[y][x] != (unsigned char)((inner ? x ^ y : 9) + x + y);
        }
    CHECK(cudaFree(d));
    printf("wrong: %d\n%s\n", bad, bad ? "FAILED" : "passed");
    return bad != 0;
}
