#include <cstdio>
__device__ int twice(int v) { return 2 * v; }
__global__ void sum(const int* in, int* out) {
    __shared__ int part[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    part[threadIdx.x] = twice(in[i]);
    __syncthreads();
    for (int width = 32; width > 0; width /= 2) {
        if (threadIdx.x < width)
            part[threadIdx.x] += part[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
int main() {
    int host[128], *in, *out;
    for (int i = 0; i < 128; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 8);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<2, 64>>>(in, out);
    sum<<<2, 64>>>(in, out);
    cudaMemcpy(host, out, 8, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", host[0], host[1]);
}
