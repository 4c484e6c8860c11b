// LU without pivoting, in doubles, one block; the product is compared with the matrix.
#include <iostream>
#include <iomanip>
#include <vector>
#include <cmath>

template <int N>
__global__ void lu(double* a) {
    __shared__ double s[N][N + 1];
    const int col = threadIdx.x, row = threadIdx.y;
    for (int r = row; r < N; r += blockDim.y) s[r][col] = a[r * N + col];
    __syncthreads();
    for (int k = 0; k < N - 1; ++k) {
        if (row == 0 && col > k) s[col][k] /= s[k][k];
        __syncthreads();
        for (int r = k + 1 + row; r < N; r += blockDim.y)
            if (col > k) s[r][col] -= s[r][k] * s[k][col];
        __syncthreads();
    }
    for (int r = row; r < N; r += blockDim.y) a[r * N + col] = s[r][col];
}

int main() {
    constexpr int N = 32;
    std::vector<double> a(N * N), f(N * N);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) a[i * N + j] = i == j ? N + 1.0 : ((i * 5 + j * 3) % 7) * 0.25;
    double* d;
    cudaMalloc(&d, sizeof(double) * N * N);
    cudaMemcpy(d, a.data(), sizeof(double) * N * N, cudaMemcpyHostToDevice);
    lu<N><<<1, dim3(N, 8)>>>(d);
    cudaMemcpy(f.data(), d, sizeof(double) * N * N, cudaMemcpyDeviceToHost);
    cudaFree(d);
    double worst = 0, det = 1;
    for (int i = 0; i < N; ++i) {
        det *= f[i * N + i] / N;
        for (int j = 0; j < N; ++j) {
            double sum = 0;
            for (int k = 0; k <= std::min(i, j); ++k) sum += (k == i ? 1.0 : f[i * N + k]) * f[k * N + j];
            worst = std::max(worst, std::abs(sum - a[i * N + j]));
        }
    }
    std::cout << std::fixed << std::setprecision(6) << "determinant, scaled: " << det << std::endl;
    std::cout << (worst < 1e-10 ? "passed" : "FAILED") << std::endl;
    return worst < 1e-10 ? 0 : 1;
}
