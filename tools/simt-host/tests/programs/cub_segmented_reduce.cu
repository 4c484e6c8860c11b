// DeviceSegmentedReduce: rows of different lengths, an empty one among them.
#include <cstdio>
#include <cub/device/device_segmented_reduce.cuh>

struct Product {
    __host__ __device__ int operator()(int a, int b) const { return a * b; }
};

int main() {
    const int segments = 6;
    const int ends[segments + 1] = {0, 3, 3, 100, 101, 700, 1000};
    int *in, *out, *offsets;
    cudaMallocManaged(&in, 1000 * sizeof(int));
    cudaMallocManaged(&out, segments * sizeof(int));
    cudaMallocManaged(&offsets, sizeof(ends));
    for (int i = 0; i < 1000; i++) in[i] = (i * 29) % 41 - 11;
    for (int i = 0; i <= segments; i++) offsets[i] = ends[i];
    for (int what = 0; what < 4; what++) {
        void* temp = nullptr;
        size_t bytes = 0;
        for (int pass = 0; pass < 2; pass++) {
            if (what == 0) cub::DeviceSegmentedReduce::Sum(temp, bytes, in, out, segments, offsets, offsets + 1);
            if (what == 1) cub::DeviceSegmentedReduce::Min(temp, bytes, in, out, segments, offsets, offsets + 1);
            if (what == 2) cub::DeviceSegmentedReduce::Max(temp, bytes, in, out, segments, offsets, offsets + 1);
            if (what == 3) cub::DeviceSegmentedReduce::Reduce(temp, bytes, in, out, segments, offsets, offsets + 1, Product(), 1);
            if (pass == 0) cudaMalloc(&temp, bytes);
        }
        cudaDeviceSynchronize();
        const char* names[4] = {"sum", "min", "max", "product"};
        printf("%s:", names[what]);
        for (int i = 0; i < segments; i++) printf(" %d", out[i]);
        printf("\n");
        cudaFree(temp);
    }
}
