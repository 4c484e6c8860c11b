// What host code names by a `__device__` variable is a copy on the host, which is no device memory: what
// CUDA answers when a program passes its address on.
#include <cstdio>

struct Pair {
    float a;
    int b;
};

__constant__ float factors[4];
__device__ int count;
__constant__ Pair pair;
__managed__ int shared[2];

__global__ void use(const float* p, float* out) { out[threadIdx.x] = p[threadIdx.x] + pair.b + shared[0]; }

int main() {
    float h[4] = {1, 2, 3, 4};
    Pair p = {1, 2};
    float* out;
    cudaMalloc(&out, sizeof h);
    // By the variable itself.
    std::printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(factors, h, sizeof h)));
    std::printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(pair, &p, sizeof p)));
    void* address;
    std::printf("%s\n", cudaGetErrorName(cudaGetSymbolAddress(&address, factors)));
    int* of_both = &shared[0];
    *of_both = 3;
    use<<<1, 4>>>(static_cast<float*>(address), out);
    std::printf("%s\n", cudaGetErrorName(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)));
    std::printf("%g %g\n", h[0], h[3]);
    // By its address in host code.
    std::printf("%s\n", cudaGetErrorName(cudaMemcpy(factors, h, sizeof h, cudaMemcpyHostToDevice)));
    std::printf("%s\n", cudaGetErrorName(cudaMemcpy(&factors[1], h, 4, cudaMemcpyHostToDevice)));
    std::printf("%s\n", cudaGetErrorName(cudaMemcpy(&pair.b, h, 4, cudaMemcpyHostToDevice)));
    std::printf("%s\n", cudaGetErrorName(cudaMemcpy(h, factors, 4, cudaMemcpyDeviceToHost)));
    std::printf("%s\n", cudaGetErrorName(cudaMemset(&count, 0, 4)));
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    use<<<1, 4>>>(factors, out);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
