// Rows, then columns, with the filter in constant memory.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <helper_cuda.h>

#define KERNEL_RADIUS 3
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define TILE_W 32
#define TILE_H 8

__constant__ float c_Kernel[KERNEL_LENGTH];

extern "C" void setConvolutionKernel(float *h_Kernel)
{
    checkCudaErrors(cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float)));
}

__global__ void convolutionRows(float *dst, const float *src, int w, int h)
{
    __shared__ float data[TILE_H][TILE_W + 2 * KERNEL_RADIUS];
    const int x = blockIdx.x * TILE_W + threadIdx.x;
    const int y = blockIdx.y * TILE_H + threadIdx.y;
    const int gl = x - KERNEL_RADIUS;
    data[threadIdx.y][threadIdx.x] = gl >= 0 && gl < w && y < h ? src[y * w + gl] : 0.0f;
    if (threadIdx.x < 2 * KERNEL_RADIUS) {
        const int gr = x - KERNEL_RADIUS + TILE_W;
        data[threadIdx.y][threadIdx.x + TILE_W] = gr < w && y < h ? src[y * w + gr] : 0.0f;
    }
    __syncthreads();
    if (x >= w || y >= h) return;
    float sum = 0;
#pragma unroll
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
        sum += c_Kernel[KERNEL_RADIUS - j] * data[threadIdx.y][threadIdx.x + KERNEL_RADIUS + j];
    dst[y * w + x] = sum;
}

__global__ void convolutionColumns(float *dst, const float *src, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++) {
        int d = y + j;
        if (d >= 0 && d < h) sum += src[d * w + x] * c_Kernel[KERNEL_RADIUS - j];
    }
    dst[y * w + x] = sum;
}

void convolutionCPU(float *dst, const float *src, const float *kernel, int w, int h, int dx, int dy)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++) {
                int sx = x + k * dx, sy = y + k * dy;
                if (sx >= 0 && sx < w && sy >= 0 && sy < h) sum += src[sy * w + sx] * kernel[KERNEL_RADIUS - k];
            }
            dst[y * w + x] = sum;
        }
}

int main(int argc, char **argv)
{
    const int w = 100, h = 60;
    float h_Kernel[KERNEL_LENGTH];
    float *h_Input = (float *)malloc(w * h * sizeof(float));
    float *h_Buffer = (float *)malloc(w * h * sizeof(float));
    float *h_CPU = (float *)malloc(w * h * sizeof(float));
    float *h_GPU = (float *)malloc(w * h * sizeof(float));
    srand(200);
    for (int i = 0; i < KERNEL_LENGTH; i++) h_Kernel[i] = (float)(rand() % 16);
    for (int i = 0; i < w * h; i++) h_Input[i] = (float)(rand() % 16);

    float *d_Input, *d_Buffer, *d_Output;
    checkCudaErrors(cudaMalloc((void **)&d_Input, w * h * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_Buffer, w * h * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_Output, w * h * sizeof(float)));
    setConvolutionKernel(h_Kernel);
    checkCudaErrors(cudaMemcpy(d_Input, h_Input, w * h * sizeof(float), cudaMemcpyHostToDevice));

    dim3 block(TILE_W, TILE_H);
    dim3 grid((w + TILE_W - 1) / TILE_W, (h + TILE_H - 1) / TILE_H);
    convolutionRows<<<grid, block>>>(d_Buffer, d_Input, w, h);
    getLastCudaError("convolutionRows() execution failed\n");
    convolutionColumns<<<grid, block>>>(d_Output, d_Buffer, w, h);
    getLastCudaError("convolutionColumns() execution failed\n");
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(h_GPU, d_Output, w * h * sizeof(float), cudaMemcpyDeviceToHost));

    convolutionCPU(h_Buffer, h_Input, h_Kernel, w, h, 1, 0);
    convolutionCPU(h_CPU, h_Buffer, h_Kernel, w, h, 0, 1);
    double sum = 0, delta = 0;
    for (int i = 0; i < w * h; i++) {
        delta += (h_GPU[i] - h_CPU[i]) * (h_GPU[i] - h_CPU[i]);
        sum += h_CPU[i] * h_CPU[i];
    }
    double L2norm = sqrt(delta / sum);
    printf("Relative L2 norm: %E\n", L2norm);
    checkCudaErrors(cudaFree(d_Output));
    checkCudaErrors(cudaFree(d_Buffer));
    checkCudaErrors(cudaFree(d_Input));
    free(h_GPU); free(h_CPU); free(h_Buffer); free(h_Input);
    if (L2norm > 1e-6) {
        printf("Test failed!\n");
        exit(EXIT_FAILURE);
    }
    printf("Test passed\n");
    exit(EXIT_SUCCESS);
}
