// DeviceReduce: sums, extremes, their places, an operator of one's own, runs of equal keys.
#include <cstdio>
#include <cub/device/device_reduce.cuh>
#include <vector>

struct Gcd {
    __host__ __device__ int operator()(int a, int b) const {
        while (b) {
            int r = a % b;
            a = b;
            b = r;
        }
        return a;
    }
};
struct Plus {
    __host__ __device__ int operator()(int a, int b) const { return a + b; }
};

template <typename F> void twice(F call) {
    void* temp = nullptr;
    size_t bytes = 0;
    call(temp, bytes);
    cudaMalloc(&temp, bytes);
    cudaError_t error = call(temp, bytes);
    if (error != cudaSuccess) printf("error: %s\n", cudaGetErrorString(error));
    cudaDeviceSynchronize();
    cudaFree(temp);
}

int main() {
    const int n = 12345;
    std::vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = (int)((i * 7919LL) % 10007) * 6 - 20000;
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, 4 * sizeof(int));
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    twice([=](void* t, size_t& b) { return cub::DeviceReduce::Sum(t, b, in, out, n); });
    twice([=](void* t, size_t& b) { return cub::DeviceReduce::Min(t, b, in, out + 1, n); });
    twice([=](void* t, size_t& b) { return cub::DeviceReduce::Max(t, b, in, out + 2, n); });
    twice([=](void* t, size_t& b) { return cub::DeviceReduce::Reduce(t, b, in, out + 3, n, Gcd(), 0); });
    int r[4];
    cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost);
    printf("sum %d min %d max %d gcd %d\n", r[0], r[1], r[2], abs(r[3]));

    cub::KeyValuePair<int, int>* arg;
    cudaMalloc(&arg, 2 * sizeof(*arg));
    twice([=](void* t, size_t& b) { return cub::DeviceReduce::ArgMin(t, b, in, arg, n); });
    twice([=](void* t, size_t& b) { return cub::DeviceReduce::ArgMax(t, b, in, arg + 1, n); });
    cub::KeyValuePair<int, int> a[2];
    cudaMemcpy(a, arg, sizeof(a), cudaMemcpyDeviceToHost);
    printf("argmin %d at %d, argmax %d at %d\n", a[0].value, a[0].key, a[1].value, a[1].key);

    for (int i = 0; i < n; i++) h[i] = i / 1000 % 3;
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    int *keys, *sums, *runs;
    cudaMalloc(&keys, n * sizeof(int));
    cudaMalloc(&sums, n * sizeof(int));
    cudaMalloc(&runs, sizeof(int));
    twice([=](void* t, size_t& b) { return cub::DeviceReduce::ReduceByKey(t, b, in, keys, in, sums, runs, Plus(), n); });
    int count = 0;
    cudaMemcpy(&count, runs, sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> k(count), s(count);
    cudaMemcpy(k.data(), keys, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(s.data(), sums, count * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d runs:", count);
    for (int i = 0; i < count; i++) printf(" %d:%d", k[i], s[i]);
    printf("\n");
}
