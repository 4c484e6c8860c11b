// The cheapest way down a grid: dynamic programming, several rows a launch.
#include <cstdio>
#include <cstdlib>
#include <climits>
#include <algorithm>

#define BLOCK_SIZE 64
#define HALO 1
#define MIN3(a, b, c) min(min((a), (b)), (c))

__global__ void dynproc_kernel(int iteration, const int* gpuWall, const int* gpuSrc, int* gpuResults, int cols, int startStep) {
    __shared__ int prev[BLOCK_SIZE];
    __shared__ int result[BLOCK_SIZE];
    int tx = threadIdx.x;
    int small_block_cols = BLOCK_SIZE - iteration * HALO * 2;
    int xidx = small_block_cols * (int)blockIdx.x - iteration * HALO + tx;
    bool inside = xidx >= 0 && xidx < cols;
    prev[tx] = inside ? gpuSrc[xidx] : INT_MAX;
    __syncthreads();
    bool computed = false;
    for (int i = 0; i < iteration; i++) {
        computed = tx >= i + 1 && tx <= BLOCK_SIZE - i - 2 && inside;
        if (computed) result[tx] = MIN3(prev[tx - 1], prev[tx], prev[tx + 1]) + gpuWall[cols * (startStep + i) + xidx];
        __syncthreads();
        if (i < iteration - 1) {
            if (computed) prev[tx] = result[tx];
            __syncthreads();
        }
    }
    if (computed) gpuResults[xidx] = result[tx];
}

int main() {
    const int rows = 41, cols = 300, pyramid = 8;
    int *data = new int[rows * cols];
    int **wall = new int*[rows];
    for (int r = 0; r < rows; r++) wall[r] = data + cols * r;
    srand(9);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) wall[r][c] = rand() % 10;

    int *gpuWall, *gpuResult[2];
    cudaMalloc((void**)&gpuResult[0], sizeof(int) * cols);
    cudaMalloc((void**)&gpuResult[1], sizeof(int) * cols);
    cudaMalloc((void**)&gpuWall, sizeof(int) * (rows - 1) * cols);
    cudaMemcpy(gpuResult[0], data, sizeof(int) * cols, cudaMemcpyHostToDevice);
    cudaMemcpy(gpuWall, data + cols, sizeof(int) * (rows - 1) * cols, cudaMemcpyHostToDevice);
    int small = BLOCK_SIZE - pyramid * HALO * 2;
    int src = 1, dst = 0;
    for (int t = 0; t < rows - 1; t += pyramid) {
        std::swap(src, dst);
        dynproc_kernel<<<(cols + small - 1) / small, BLOCK_SIZE>>>(std::min(pyramid, rows - t - 1), gpuWall, gpuResult[src], gpuResult[dst], cols, t);
    }
    int* result = new int[cols];
    cudaMemcpy(result, gpuResult[dst], sizeof(int) * cols, cudaMemcpyDeviceToHost);

    int *now = new int[cols], *next = new int[cols];
    std::copy(data, data + cols, now);
    for (int r = 1; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            int best = now[c];
            if (c > 0) best = std::min(best, now[c - 1]);
            if (c < cols - 1) best = std::min(best, now[c + 1]);
            next[c] = best + wall[r][c];
        }
        std::swap(now, next);
    }
    bool ok = std::equal(now, now + cols, result);
    for (int c = 0; c < 10; c++) printf("%d ", result[c]);
    printf("\ncheapest: %d\n%s\n", *std::min_element(result, result + cols), ok ? "PASSED" : "FAILED");
    cudaFree(gpuWall);
    cudaFree(gpuResult[0]);
    cudaFree(gpuResult[1]);
    delete[] data;
    delete[] wall;
    delete[] result;
    delete[] now;
    delete[] next;
    return ok ? 0 : 1;
}
