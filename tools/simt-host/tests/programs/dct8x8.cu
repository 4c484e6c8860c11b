// The discrete cosine transform of blocks of 8 by 8, and back.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define BLOCK_SIZE 8
__constant__ float dctMatrix[BLOCK_SIZE][BLOCK_SIZE];

template <bool inverse>
__global__ void dct(const float *src, float *dst, int stride)
{
    __shared__ float block[BLOCK_SIZE][BLOCK_SIZE], temp[BLOCK_SIZE][BLOCK_SIZE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int at = (blockIdx.y * BLOCK_SIZE + ty) * stride + blockIdx.x * BLOCK_SIZE + tx;
    block[ty][tx] = src[at];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < BLOCK_SIZE; k++) sum += (inverse ? dctMatrix[k][ty] : dctMatrix[ty][k]) * block[k][tx];
    temp[ty][tx] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < BLOCK_SIZE; k++) sum += temp[ty][k] * (inverse ? dctMatrix[k][tx] : dctMatrix[tx][k]);
    dst[at] = sum;
}

int main()
{
    const int width = 64, height = 32;
    float matrix[BLOCK_SIZE][BLOCK_SIZE];
    for (int i = 0; i < BLOCK_SIZE; i++)
        for (int j = 0; j < BLOCK_SIZE; j++)
            matrix[i][j] = (float)((i == 0 ? sqrt(1.0 / BLOCK_SIZE) : sqrt(2.0 / BLOCK_SIZE)) * cos((2 * j + 1) * i * M_PI / (2 * BLOCK_SIZE)));
    size_t bytes = width * height * sizeof(float);
    float *image = (float *)malloc(bytes), *result = (float *)malloc(bytes), *coefficients = (float *)malloc(bytes);
    for (int i = 0; i < width * height; i++) image[i] = (float)((i * 31 + i / width * 17) % 256 - 128);
    float *a, *b;
    cudaMalloc((void **)&a, bytes);
    cudaMalloc((void **)&b, bytes);
    cudaMemcpyToSymbol(dctMatrix, matrix, sizeof(matrix));
    cudaMemcpy(a, image, bytes, cudaMemcpyHostToDevice);
    dim3 grid(width / BLOCK_SIZE, height / BLOCK_SIZE), threads(BLOCK_SIZE, BLOCK_SIZE);
    dct<false><<<grid, threads>>>(a, b, width);
    cudaMemcpy(coefficients, b, bytes, cudaMemcpyDeviceToHost);
    dct<true><<<grid, threads>>>(b, a, width);
    cudaMemcpy(result, a, bytes, cudaMemcpyDeviceToHost);
    float mean = 0, worst = 0;
    for (int y = 0; y < BLOCK_SIZE; y++)
        for (int x = 0; x < BLOCK_SIZE; x++) mean += image[y * width + x];
    for (int i = 0; i < width * height; i++) worst = fmaxf(worst, fabsf(result[i] - image[i]));
    int ok = worst < 0.01f && fabsf(coefficients[0] - mean / BLOCK_SIZE) < 0.01f;
    printf("%s\n", ok ? "Test passed" : "Test FAILED");
    cudaFree(a);
    cudaFree(b);
    free(image);
    free(result);
    free(coefficients);
    return ok ? 0 : 1;
}
