// Doubles numbers on the GPU and checks the result.
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                     \
    do {                                                                                \
        cudaError_t error = (call);                                                     \
        if (error != cudaSuccess) {                                                     \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            return 1;                                                                   \
        }                                                                               \
    } while (0)

__global__ void KERNEL(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

int main() {
    const int n = 1000;
    const size_t bytes = n * sizeof(int);
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++)
        in[i] = i;

    int *device_in, *device_out;
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&device_out, bytes));
    CHECK(cudaMemcpy(device_in, in.data(), bytes, cudaMemcpyHostToDevice));
    KERNEL<<<(n + 255) / 256, 256>>>(device_in, device_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), device_out, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));

    for (int i = 0; i < n; i++) {
        if (out[i] != 2 * i) {
            std::fprintf(stderr, "out[%d] is %d, not %d\n", i, out[i], 2 * i);
            return 1;
        }
    }
    std::printf("%d numbers are right\n", n);
    return 0;
}
