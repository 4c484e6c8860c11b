// Points in a circle, counted by transform_reduce; saxpy with lambdas and a stream.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

__host__ __device__ unsigned int hash(unsigned int a) {
    a = (a + 0x7ed55d16) + (a << 12);
    a = (a ^ 0xc761c23c) ^ (a >> 19);
    a = (a + 0x165667b1) + (a << 5);
    a = (a + 0xd3a2646c) ^ (a << 9);
    a = (a + 0xfd7046c5) + (a << 3);
    a = (a ^ 0xb55a4f09) ^ (a >> 16);
    return a;
}
struct inside {
    __host__ __device__ int operator()(unsigned int id) const {
        int n = 0;
        thrust::default_random_engine rng(hash(id));
        thrust::uniform_real_distribution<float> u01(0, 1);
        for (int i = 0; i < 50; i++) {
            float x = u01(rng);
            float y = u01(rng);
            if (x * x + y * y <= 1.0f) n++;
        }
        return n;
    }
};
struct saxpy {
    const float a;
    saxpy(float a_) : a(a_) {}
    __host__ __device__ float operator()(const float& x, const float& y) const { return a * x + y; }
};

int main() {
    const int m = 2000;
    int n = thrust::transform_reduce(thrust::counting_iterator<unsigned int>(0), thrust::counting_iterator<unsigned int>(m), inside(), 0, thrust::plus<int>());
    printf("%d of %d, pi is about %.4f\n", n, 50 * m, 4.0 * n / (50.0 * m));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    thrust::device_vector<float> x(1000, 1.5f), y(1000);
    for (int i = 0; i < 10; i++) y[i * 100] = (float)i;
    thrust::transform(thrust::cuda::par.on(stream), x.begin(), x.end(), y.begin(), y.begin(), saxpy(2.0f));
    cudaStreamSynchronize(stream);
    printf("%g %g %g\n", (float)y[0], (float)y[1], (float)y[900]);
    cudaStreamDestroy(stream);
}
