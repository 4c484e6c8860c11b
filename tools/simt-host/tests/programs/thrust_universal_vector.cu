// universal_vector: the host, algorithms and kernels use the same memory.
#include <cstdio>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/universal_vector.h>

__global__ void square(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = a[i] * a[i] % 1000;
}

int main() {
    const int n = 1000;
    thrust::universal_vector<int> v(n);
    for (int i = 0; i < n; i++) v[i] = n - i;
    square<<<(n + 127) / 128, 128>>>(thrust::raw_pointer_cast(v.data()), n);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", v[0], v[1], v[n - 1]);
    printf("%d\n", thrust::reduce(v.begin(), v.end()));
    thrust::sort(thrust::device, v.begin(), v.end());
    cudaDeviceSynchronize();
    printf("%d %d .. %d\n", v[0], v[500], v.back());
    int odd = 0;
    for (int x : v) odd += x & 1;
    printf("%d odd of %d\n", odd, (int)v.size());
}
