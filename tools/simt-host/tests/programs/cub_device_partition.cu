// DevicePartition: the chosen come first in order, the rest last in reverse.
#include <cstdio>
#include <cub/cub.cuh>

struct Even {
    __host__ __device__ bool operator()(int a) const { return a % 2 == 0; }
};

int main() {
    const int n = 20;
    int *in, *out, *count;
    unsigned char* flags;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&count, sizeof(int));
    cudaMallocManaged(&flags, n);
    for (int i = 0; i < n; i++) {
        in[i] = i * 7 % 23;
        flags[i] = i % 5 == 0;
    }
    void* temp = nullptr;
    size_t bytes = 0;
    cub::DevicePartition::If(temp, bytes, in, out, count, n, Even());
    cudaMalloc(&temp, bytes);
    cub::DevicePartition::If(temp, bytes, in, out, count, n, Even());
    cudaDeviceSynchronize();
    printf("%d even:", *count);
    for (int i = 0; i < n; i++) printf(" %d", out[i]);
    printf("\n");
    cudaFree(temp);
    temp = nullptr;
    cub::DevicePartition::Flagged(temp, bytes, in, flags, out, count, n);
    cudaMalloc(&temp, bytes);
    cub::DevicePartition::Flagged(temp, bytes, in, flags, out, count, n);
    cudaDeviceSynchronize();
    printf("%d flagged:", *count);
    for (int i = 0; i < n; i++) printf(" %d", out[i]);
    printf("\n");
}
