// Programs with cuRAND's generators of the host. Each returns how often it was wrong.

//# xorwow_is_that_of_kernels
#include <curand.h>
#include <curand_kernel.h>
#include <vector>
__global__ void draw(unsigned int* to, int n, unsigned long long seed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    curandState state;
    curand_init(seed, i % 4096, i / 4096, &state);
    to[i] = curand(&state);
}
int main() {
    const int n = 9000;
    std::vector<unsigned int> a(n), b(n), c(n);
    unsigned int* d;
    cudaMalloc(&d, n * 4);
    draw<<<(n + 255) / 256, 256>>>(d, n, 1234);
    cudaMemcpy(a.data(), d, n * 4, cudaMemcpyDeviceToHost);
    curandGenerator_t g, host;
    int wrong = curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS;
    curandSetPseudoRandomGeneratorSeed(g, 1234);
    // In pieces.
    curandGenerate(g, d, 100);
    curandGenerate(g, d + 100, n - 100);
    cudaMemcpy(b.data(), d, n * 4, cudaMemcpyDeviceToHost);
    wrong += a != b;
    curandSetGeneratorOffset(g, 5000);
    curandGenerate(g, d, 3);
    cudaMemcpy(b.data(), d, 12, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 3; i++) wrong += b[i] != a[5000 + i];
    curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_XORWOW);
    curandSetPseudoRandomGeneratorSeed(host, 1234);
    curandGenerate(host, c.data(), n);
    wrong += a != c;
    curandDestroyGenerator(host);
    return wrong + (curandDestroyGenerator(g) != CURAND_STATUS_SUCCESS);
}

//# philox_has_the_published_numbers
#include <curand.h>
// From the test vectors of the authors of Philox: of counter and key zero.
int main() {
    const unsigned int wanted[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    unsigned int got[4], *d;
    cudaMalloc(&d, 16);
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10);
    curandSetPseudoRandomGeneratorSeed(g, 0);
    curandGenerate(g, d, 4);
    cudaMemcpy(got, d, 16, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 4; i++) wrong += got[i] != wanted[i];
    return wrong;
}

//# mrg32k3a_has_the_published_numbers
#include <cmath>
#include <curand.h>
// What P. L'Ecuyer's implementation gives first for a state of 12345 in each place; results of one
// subsequence are 4096 apart.
int main() {
    const double wanted[3] = {0.127011122, 0.318527565, 0.309186016};
    static double got[2 * 4096 + 1];
    double* d;
    cudaMalloc(&d, sizeof(got));
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MRG32K3A);
    curandSetPseudoRandomGeneratorSeed(g, 0);
    curandGenerateUniformDouble(g, d, 2 * 4096 + 1);
    cudaMemcpy(got, d, sizeof(got), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 3; i++) wrong += std::fabs(got[4096 * i] - wanted[i]) > 1e-9;
    // A jump over subsequences and steps is as many steps.
    double one;
    curandSetGeneratorOffset(g, 2 * 4096 - 5);
    curandGenerateUniformDouble(g, d, 1);
    cudaMemcpy(&one, d, 8, cudaMemcpyDeviceToHost);
    return wrong + (one != got[2 * 4096 - 5]);
}

//# distributions_of_each_generator
#include <cmath>
#include <curand.h>
#include <vector>
template <typename T> int moments(const T* d, int n, double mean, double deviation) {
    std::vector<T> v(n);
    cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0, squares = 0;
    for (T x : v) {
        sum += x;
        squares += (double)x * x;
    }
    const double m = sum / n, s = std::sqrt(squares / n - m * m);
    return std::fabs(m - mean) > 5 * deviation / std::sqrt((double)n) || std::fabs(s / deviation - 1) > 0.1;
}
int main() {
    const int n = 10000;
    float* f;
    double* d;
    cudaMalloc(&f, n * sizeof(float));
    cudaMalloc(&d, n * sizeof(double));
    int wrong = 0;
    for (curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_PSEUDO_MRG32K3A}) {
        curandGenerator_t g;
        curandCreateGenerator(&g, type);
        curandSetPseudoRandomGeneratorSeed(g, 7);
        wrong += curandGenerateUniform(g, f, n) != 0 || moments(f, n, 0.5, 0.2887);
        wrong += curandGenerateUniformDouble(g, d, n) != 0 || moments(d, n, 0.5, 0.2887);
        wrong += curandGenerateNormal(g, f, n, 3, 2) != 0 || moments(f, n, 3, 2);
        wrong += curandGenerateNormalDouble(g, d, n, 3, 2) != 0 || moments(d, n, 3, 2);
        wrong += curandGenerateLogNormal(g, f, n, 0, 0.25f) != 0 || moments(f, n, 1.0317, 0.2620);
        wrong += curandGenerateLogNormalDouble(g, d, n, 0, 0.25) != 0 || moments(d, n, 1.0317, 0.2620);
        wrong += curandGenerateNormal(g, f, 3, 0, 1) != CURAND_STATUS_LENGTH_NOT_MULTIPLE;
        wrong += curandGenerateLongLong(g, nullptr, 3) != CURAND_STATUS_TYPE_ERROR;
        curandDestroyGenerator(g);
    }
    return wrong;
}
