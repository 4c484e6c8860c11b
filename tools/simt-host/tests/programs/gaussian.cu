// Gaussian elimination, two kernels a column; back substitution on the host.
#include <cstdio>
#include <cstdlib>
#include <cmath>

void checkCUDAError(const char *msg)
{
    cudaError_t err = cudaGetLastError();
    if (cudaSuccess != err) {
        fprintf(stderr, "Cuda error: %s: %s.\n", msg, cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
}

__global__ void Fan1(float *m, float *a, int size, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= size - 1 - t) return;
    *(m + size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) =
        *(a + size * (blockDim.x * blockIdx.x + threadIdx.x + t + 1) + t) / *(a + size * t + t);
}

__global__ void Fan2(float *m, float *a, float *b, int size, int t)
{
    int xidx = blockIdx.x * blockDim.x + threadIdx.x;
    int yidx = blockIdx.y * blockDim.y + threadIdx.y;
    if (xidx >= size - 1 - t || yidx >= size - t) return;
    a[size * (xidx + 1 + t) + (yidx + t)] -= m[size * (xidx + 1 + t) + t] * a[size * t + (yidx + t)];
    if (yidx == 0) b[xidx + 1 + t] -= m[size * (xidx + 1 + t) + (yidx + t)] * b[t];
}

int main()
{
    const int size = 48;
    float *a = new float[size * size], *b = new float[size], *x = new float[size], *original = new float[size * size];
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            int distance = i > j ? i - j : j - i;
            a[i * size + j] = original[i * size + j] = 10.0f * expf(-0.3f * distance);
        }
        b[i] = 1.0f;
    }
    float *m_cuda, *a_cuda, *b_cuda;
    cudaMalloc((void **)&m_cuda, size * size * sizeof(float));
    cudaMalloc((void **)&a_cuda, size * size * sizeof(float));
    cudaMalloc((void **)&b_cuda, size * sizeof(float));
    cudaMemset(m_cuda, 0, size * size * sizeof(float));
    cudaMemcpy(a_cuda, a, size * size * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b_cuda, b, size * sizeof(float), cudaMemcpyHostToDevice);

    dim3 dimBlock(64), dimGrid((size + 63) / 64);
    dim3 dimBlockXY(8, 8), dimGridXY((size + 7) / 8, (size + 7) / 8);
    for (int t = 0; t < size - 1; t++) {
        Fan1<<<dimGrid, dimBlock>>>(m_cuda, a_cuda, size, t);
        cudaDeviceSynchronize();
        Fan2<<<dimGridXY, dimBlockXY>>>(m_cuda, a_cuda, b_cuda, size, t);
        cudaDeviceSynchronize();
        checkCUDAError("Fan2");
    }
    cudaMemcpy(a, a_cuda, size * size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(b, b_cuda, size * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = size - 1; i >= 0; i--) {
        x[i] = b[i];
        for (int j = size - 1; j > i; j--) x[i] -= a[size * i + j] * x[j];
        x[i] /= a[size * i + i];
    }
    float worst = 0;
    for (int i = 0; i < size; i++) {
        float row = 0;
        for (int j = 0; j < size; j++) row += original[i * size + j] * x[j];
        worst = fmaxf(worst, fabsf(row - 1.0f));
    }
    printf("x[0] = %.3f\n", x[0]);
    printf("%s\n", worst < 1e-3f ? "passed" : "FAILED");
    cudaFree(m_cuda);
    cudaFree(a_cuda);
    cudaFree(b_cuda);
    delete[] a;
    delete[] b;
    delete[] x;
    delete[] original;
    return worst < 1e-3f ? 0 : 1;
}
