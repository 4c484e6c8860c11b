// half and half2: conversions on both sides, arithmetic, a dot product.
#include <cuda_fp16.h>
#include <cstdio>
#include <vector>

__global__ void saxpy(int n, half a, const half* x, half* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma(a, x[i], y[i]);
}

__global__ void dot(const half2* a, const half2* b, float* out, int n) {
    __shared__ half2 s[64];
    half2 sum = __float2half2_rn(0.f);
    for (int i = threadIdx.x; i < n; i += 64) sum = __hfma2(a[i], b[i], sum);
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 32; step > 0; step >>= 1) {
        if (threadIdx.x < step) s[threadIdx.x] = __hadd2(s[threadIdx.x], s[threadIdx.x + step]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = __low2float(s[0]) + __high2float(s[0]);
}

int main() {
    const int n = 512;
    std::vector<half> x(n), y(n);
    for (int i = 0; i < n; ++i) {
        x[i] = __float2half((float)(i % 8));
        y[i] = __float2half(0.5f * (i % 4));
    }
    half *dx, *dy;
    float* dsum;
    cudaMalloc(&dx, n * sizeof(half));
    cudaMalloc(&dy, n * sizeof(half));
    cudaMalloc(&dsum, sizeof(float));
    cudaMemcpy(dx, x.data(), n * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(half), cudaMemcpyHostToDevice);
    saxpy<<<4, 128>>>(n, __float2half(2.0f), dx, dy);
    dot<<<1, 64>>>((const half2*)dx, (const half2*)dy, dsum, n / 2);
    std::vector<half> got(n);
    float sum;
    cudaMemcpy(got.data(), dy, n * sizeof(half), cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, dsum, sizeof sum, cudaMemcpyDeviceToHost);
    bool ok = true;
    float want = 0;
    for (int i = 0; i < n; ++i) {
        float v = 2.0f * (i % 8) + 0.5f * (i % 4);
        ok = ok && __half2float(got[i]) == v;
        want += (i % 8) * v;
    }
    printf("third %.2f, dot %.1f (%.1f), one third %.6f\n", __half2float(got[2]), sum, want, __half2float(__float2half(1.0f / 3.0f)));
    ok = ok && sum > 0.99f * want && sum < 1.01f * want;
    printf("%s\n", ok ? "PASSED" : "FAILED");
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dsum);
    return !ok;
}
