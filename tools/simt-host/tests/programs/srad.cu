// Speckle reducing diffusion: a reduction, then two stencil kernels, per iteration.
#include <cmath>
#include <cstdio>
#include <vector>

const int ROWS = 32, COLS = 48, SIZE = ROWS * COLS;

__global__ void sums(const float* J, float* out) {
    __shared__ float s[256], q[256];
    float a = 0, b = 0;
    for (int i = threadIdx.x; i < SIZE; i += 256) {
        a += J[i];
        b += J[i] * J[i];
    }
    s[threadIdx.x] = a;
    q[threadIdx.x] = b;
    for (int step = 128; step > 0; step >>= 1) {
        __syncthreads();
        if (threadIdx.x < step) {
            s[threadIdx.x] += s[threadIdx.x + step];
            q[threadIdx.x] += q[threadIdx.x + step];
        }
    }
    if (threadIdx.x == 0) {
        out[0] = s[0];
        out[1] = q[0];
    }
}

__host__ __device__ inline float coefficient(float here, float n, float s, float w, float e, float q0) {
    float g2 = (n * n + s * s + w * w + e * e) / (here * here);
    float l = (n + s + w + e) / here;
    float num = 0.5f * g2 - (1.0f / 16.0f) * (l * l);
    float den = 1.0f + 0.25f * l;
    float q = num / (den * den);
    den = (q - q0) / (q0 * (1.0f + q0));
    float c = 1.0f / (1.0f + den);
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

__global__ void diffusion(const float* J, float4* derivatives, float* C, float q0) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = y * COLS + x;
    float here = J[i];
    float n = J[y == 0 ? i : i - COLS] - here, s = J[y == ROWS - 1 ? i : i + COLS] - here;
    float w = J[x == 0 ? i : i - 1] - here, e = J[x == COLS - 1 ? i : i + 1] - here;
    derivatives[i] = make_float4(n, s, w, e);
    C[i] = coefficient(here, n, s, w, e, q0);
}

__global__ void update(float* J, const float4* derivatives, const float* C, float lambda) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = y * COLS + x;
    float south = C[y == ROWS - 1 ? i : i + COLS], east = C[x == COLS - 1 ? i : i + 1];
    float4 d = derivatives[i];
    J[i] += 0.25f * lambda * (C[i] * d.x + south * d.y + C[i] * d.z + east * d.w);
}

int main() {
    std::vector<float> J(SIZE), C(SIZE), got(SIZE);
    std::vector<float4> D(SIZE);
    for (int i = 0; i < SIZE; ++i) J[i] = expf((float)((i * 7 + i / COLS * 3) % 32) / 64.0f);
    float *dJ, *dC, *dSums;
    float4* dD;
    cudaMalloc(&dJ, SIZE * sizeof(float));
    cudaMalloc(&dC, SIZE * sizeof(float));
    cudaMalloc(&dD, SIZE * sizeof(float4));
    cudaMalloc(&dSums, 2 * sizeof(float));
    cudaMemcpy(dJ, J.data(), SIZE * sizeof(float), cudaMemcpyHostToDevice);
    dim3 threads(16, 16), blocks(COLS / 16, ROWS / 16);
    for (int t = 0; t < 4; ++t) {
        float sum[2];
        sums<<<1, 256>>>(dJ, dSums);
        cudaMemcpy(sum, dSums, sizeof sum, cudaMemcpyDeviceToHost);
        float mean = sum[0] / SIZE, variance = sum[1] / SIZE - mean * mean;
        diffusion<<<blocks, threads>>>(dJ, dD, dC, variance / (mean * mean));
        update<<<blocks, threads>>>(dJ, dD, dC, 0.5f);

        double a = 0, b = 0;
        for (float v : J) {
            a += v;
            b += v * v;
        }
        float m = (float)(a / SIZE), q0 = (float)((b / SIZE - m * m) / (m * m));
        for (int y = 0; y < ROWS; ++y)
            for (int x = 0; x < COLS; ++x) {
                int i = y * COLS + x;
                D[i].x = J[y ? i - COLS : i] - J[i];
                D[i].y = J[y < ROWS - 1 ? i + COLS : i] - J[i];
                D[i].z = J[x ? i - 1 : i] - J[i];
                D[i].w = J[x < COLS - 1 ? i + 1 : i] - J[i];
                C[i] = coefficient(J[i], D[i].x, D[i].y, D[i].z, D[i].w, q0);
            }
        for (int y = 0; y < ROWS; ++y)
            for (int x = 0; x < COLS; ++x) {
                int i = y * COLS + x;
                J[i] += 0.125f * (C[i] * D[i].x + C[y < ROWS - 1 ? i + COLS : i] * D[i].y + C[i] * D[i].z + C[x < COLS - 1 ? i + 1 : i] * D[i].w);
            }
    }
    cudaMemcpy(got.data(), dJ, SIZE * sizeof(float), cudaMemcpyDeviceToHost);
    float worst = 0;
    for (int i = 0; i < SIZE; ++i) worst = fmaxf(worst, fabsf(got[i] - J[i]));
    printf("%s\n", worst < 1e-3f ? "passed" : "FAILED");
    return worst < 1e-3f ? 0 : 1;
}
