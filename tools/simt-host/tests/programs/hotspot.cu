// A chip's temperature from its power: tiles that shrink by one ring a step (ghost zones).
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define BLOCK_SIZE 16
#define PYRAMID 2
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))

__global__ void calculate_temp(int iteration, const float *power, const float *temp_src, float *temp_dst, int cols, int rows, float cap, float rx, float ry, float rz)
{
    __shared__ float temp_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float power_on_cuda[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float temp_t[BLOCK_SIZE][BLOCK_SIZE];
    const float amb_temp = 80.0f;
    int tx = threadIdx.x, ty = threadIdx.y;
    int small = BLOCK_SIZE - iteration * 2;
    int x = (int)blockIdx.x * small - iteration + tx, y = (int)blockIdx.y * small - iteration + ty;
    if (IN_RANGE(y, 0, rows - 1) && IN_RANGE(x, 0, cols - 1)) {
        temp_on_cuda[ty][tx] = temp_src[cols * y + x];
        power_on_cuda[ty][tx] = power[cols * y + x];
    }
    __syncthreads();
    int W = x == 0 ? tx : tx - 1, E = x == cols - 1 ? tx : tx + 1, N = y == 0 ? ty : ty - 1, S = y == rows - 1 ? ty : ty + 1;
    bool computed = false;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(ty, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(x, 0, cols - 1) && IN_RANGE(y, 0, rows - 1)) {
            computed = true;
            temp_t[ty][tx] = temp_on_cuda[ty][tx] + cap * (power_on_cuda[ty][tx]
                + (temp_on_cuda[S][tx] + temp_on_cuda[N][tx] - 2.0f * temp_on_cuda[ty][tx]) * ry
                + (temp_on_cuda[ty][E] + temp_on_cuda[ty][W] - 2.0f * temp_on_cuda[ty][tx]) * rx
                + (amb_temp - temp_on_cuda[ty][tx]) * rz);
        }
        __syncthreads();
        if (i == iteration - 1) break;
        if (computed) temp_on_cuda[ty][tx] = temp_t[ty][tx];
        __syncthreads();
    }
    if (computed) temp_dst[cols * y + x] = temp_t[ty][tx];
}

int main(int argc, char **argv)
{
    const int rows = 50, cols = 60, size = rows * cols, total = 6;
    const float cap = 0.5f, rx = 0.1f, ry = 0.1f, rz = 0.0625f;
    float *temp = (float *)malloc(size * sizeof(float)), *next = (float *)malloc(size * sizeof(float));
    float *power = (float *)malloc(size * sizeof(float)), *got = (float *)malloc(size * sizeof(float));
    for (int i = 0; i < size; i++) {
        temp[i] = 323.0f + (i % 17);
        power[i] = i % 113 == 0 ? 2.0f : 0.01f;
    }
    float *d_temp[2], *d_power;
    cudaMalloc((void **)&d_temp[0], sizeof(float) * size);
    cudaMalloc((void **)&d_temp[1], sizeof(float) * size);
    cudaMalloc((void **)&d_power, sizeof(float) * size);
    cudaMemcpy(d_temp[0], temp, sizeof(float) * size, cudaMemcpyHostToDevice);
    cudaMemcpy(d_power, power, sizeof(float) * size, cudaMemcpyHostToDevice);
    int small = BLOCK_SIZE - PYRAMID * 2;
    dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE), dimGrid((cols + small - 1) / small, (rows + small - 1) / small);
    int src = 1, dst = 0;
    for (int t = 0; t < total; t += PYRAMID) {
        int swap = src;
        src = dst;
        dst = swap;
        calculate_temp<<<dimGrid, dimBlock>>>(PYRAMID < total - t ? PYRAMID : total - t, d_power, d_temp[src], d_temp[dst], cols, rows, cap, rx, ry, rz);
    }
    cudaMemcpy(got, d_temp[dst], sizeof(float) * size, cudaMemcpyDeviceToHost);
    for (int t = 0; t < total; t++) {
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++) {
                int i = r * cols + c;
                float n = r ? temp[i - cols] : temp[i], s = r < rows - 1 ? temp[i + cols] : temp[i];
                float w = c ? temp[i - 1] : temp[i], e = c < cols - 1 ? temp[i + 1] : temp[i];
                next[i] = temp[i] + cap * (power[i] + (s + n - 2.0f * temp[i]) * ry + (e + w - 2.0f * temp[i]) * rx + (80.0f - temp[i]) * rz);
            }
        float *p = temp;
        temp = next;
        next = p;
    }
    float worst = 0;
    for (int i = 0; i < size; i++) worst = fmaxf(worst, fabsf(got[i] - temp[i]));
    printf("pyramid height: %d, grid: %d x %d, border: %d\n", PYRAMID, dimGrid.x, dimGrid.y, PYRAMID);
    printf("%s\n", worst < 0.01f ? "PASSED" : "FAILED");
    cudaFree(d_power);
    cudaFree(d_temp[0]);
    cudaFree(d_temp[1]);
    free(temp);
    free(next);
    free(power);
    free(got);
    return worst < 0.01f ? 0 : 1;
}
