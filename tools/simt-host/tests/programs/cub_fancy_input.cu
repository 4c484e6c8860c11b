// DeviceReduce and DeviceScan over iterators that compute: no array is read.
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

struct Square {
    __host__ __device__ long long operator()(int a) const { return (long long)a * a; }
};
struct IsPrime {
    __host__ __device__ int operator()(int n) const {
        if (n < 2) return 0;
        for (int d = 2; d * d <= n; d++)
            if (n % d == 0) return 0;
        return 1;
    }
};
struct Prime {
    __host__ __device__ bool operator()(const int& n) const { return IsPrime()(n) != 0; }
};

int main() {
    long long* sum;
    int *count, *primes, *found;
    cudaMallocManaged(&sum, sizeof(long long));
    cudaMallocManaged(&count, 2000 * sizeof(int));
    cudaMallocManaged(&primes, 2000 * sizeof(int));
    cudaMallocManaged(&found, sizeof(int));
    auto squares = thrust::make_transform_iterator(thrust::make_counting_iterator(1), Square());
    auto marks = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), IsPrime());
    void* temp = nullptr;
    size_t bytes = 0;
    cub::DeviceReduce::Sum(temp, bytes, squares, sum, 3000);
    cudaMalloc(&temp, bytes);
    cub::DeviceReduce::Sum(temp, bytes, squares, sum, 3000);
    cudaDeviceSynchronize();
    printf("squares up to 3000: %lld\n", *sum);
    cudaFree(temp);
    temp = nullptr;
    cub::DeviceScan::InclusiveSum(temp, bytes, marks, count, 2000);
    cudaMalloc(&temp, bytes);
    cub::DeviceScan::InclusiveSum(temp, bytes, marks, count, 2000);
    cudaDeviceSynchronize();
    printf("primes up to 10, 100, 1000: %d %d %d\n", count[10], count[100], count[1000]);
    cudaFree(temp);
    temp = nullptr;
    cub::DeviceSelect::If(temp, bytes, thrust::counting_iterator<int>(0), primes, found, 2000, Prime());
    cudaMalloc(&temp, bytes);
    cub::DeviceSelect::If(temp, bytes, thrust::counting_iterator<int>(0), primes, found, 2000, Prime());
    cudaDeviceSynchronize();
    printf("%d primes, the last %d\n", *found, primes[*found - 1]);
}
