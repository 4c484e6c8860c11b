// Jacobi's method until the largest change is small; the maximum by an atomic on a float's bits.
#include <cstdio>
#include <cmath>
#include <vector>

__device__ float atomicMaxPositive(float* address, float value) {
    return __int_as_float(atomicMax(reinterpret_cast<int*>(address), __float_as_int(value)));
}

__global__ void sweep(const float* A, const float* b, const float* x, float* next, float* change, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0.0f;
    for (int col = 0; col < n; ++col)
        if (col != row) sum += A[col * n + row] * x[col];
    float value = (b[row] - sum) / A[row * n + row];
    atomicMaxPositive(change, fabsf(value - x[row]));
    next[row] = value;
}

int main() {
    const int n = 64;
    std::vector<float> A(n * n), b(n), x(n, 0.0f);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) A[j * n + i] = i == j ? 2.0f * n : (float)((i + 2 * j) % 3) - 1.0f;
        b[i] = (float)(i + 1);
    }
    float *dA, *db, *dx[2], *dchange;
    cudaMalloc(&dA, n * n * sizeof(float));
    cudaMalloc(&db, n * sizeof(float));
    cudaMalloc(&dx[0], n * sizeof(float));
    cudaMalloc(&dx[1], n * sizeof(float));
    cudaMalloc(&dchange, sizeof(float));
    cudaMemcpy(dA, A.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(dx[0], 0, n * sizeof(float));
    int iterations = 0;
    float change = INFINITY;
    while (change > 1e-6f && iterations < 200) {
        cudaMemset(dchange, 0, sizeof(float));
        sweep<<<2, 32>>>(dA, db, dx[iterations & 1], dx[~iterations & 1], dchange, n);
        cudaMemcpy(&change, dchange, sizeof(float), cudaMemcpyDeviceToHost);
        ++iterations;
    }
    cudaMemcpy(x.data(), dx[iterations & 1], n * sizeof(float), cudaMemcpyDeviceToHost);
    double residual = 0;
    for (int i = 0; i < n; ++i) {
        double r = b[i];
        for (int j = 0; j < n; ++j) r -= (double)A[j * n + i] * x[j];
        residual = fmax(residual, fabs(r));
    }
    printf("converged: %s\n", iterations < 200 ? "yes" : "no");
    bool ok = iterations < 200 && residual < 1e-3;
    printf("%s\n", ok ? "passed" : "FAILED");
    cudaFree(dA); cudaFree(db); cudaFree(dx[0]); cudaFree(dx[1]); cudaFree(dchange);
    return ok ? 0 : 1;
}
