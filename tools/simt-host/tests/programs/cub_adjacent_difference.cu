// DeviceAdjacentDifference and DeviceFor.
#include <cstdio>
#include <cub/cub.cuh>

struct Minus {
    __host__ __device__ int operator()(int a, int b) const { return a - b; }
};
struct Fill {
    int* to;
    __device__ void operator()(int i) const { to[i] = i * i; }
};
struct Double {
    __device__ void operator()(int& a) const { a *= 2; }
};

int main() {
    const int n = 1000;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cub::DeviceFor::Bulk(n, Fill{in});
    cub::DeviceFor::ForEachN(in, n, Double());
    cudaDeviceSynchronize();
    printf("%d %d %d .. %d\n", in[1], in[2], in[3], in[n - 1]);
    void* temp = nullptr;
    size_t bytes = 0;
    cub::DeviceAdjacentDifference::SubtractLeftCopy(temp, bytes, in, out, n, Minus());
    cudaMalloc(&temp, bytes);
    cub::DeviceAdjacentDifference::SubtractLeftCopy(temp, bytes, in, out, n, Minus());
    cudaDeviceSynchronize();
    printf("left: %d %d %d .. %d\n", out[0], out[1], out[2], out[n - 1]);
    cudaFree(temp);
    temp = nullptr;
    cub::DeviceAdjacentDifference::SubtractRight(temp, bytes, in, n, Minus());
    cudaMalloc(&temp, bytes);
    cub::DeviceAdjacentDifference::SubtractRight(temp, bytes, in, n, Minus());
    cudaDeviceSynchronize();
    printf("right: %d %d %d .. %d\n", in[0], in[1], in[2], in[n - 1]);
}
