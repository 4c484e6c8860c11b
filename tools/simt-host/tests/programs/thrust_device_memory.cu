// device_malloc, device_ptr, device_new, raw memory of the runtime, and copies both ways.
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <vector>

__global__ void add(int* a, int n, int what) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += what;
}

int main() {
    const int n = 100;
    thrust::device_ptr<int> p = thrust::device_malloc<int>(n);
    thrust::sequence(p, p + n);
    add<<<1, 128>>>(thrust::raw_pointer_cast(p), n, 5);
    printf("%d\n", thrust::reduce(p, p + n));
    p[3] = 1000;
    *(p + 4) = p[3];
    int kept = p[0];
    p[0] = p[1];
    p[1] = kept;
    printf("%d %d %d %d\n", (int)p[0], (int)p[1], (int)*(p + 4), (int)p[5]);
    int* raw;
    cudaMalloc(&raw, n * sizeof(int));
    thrust::device_ptr<int> q = thrust::device_pointer_cast(thrust::device_pointer_cast(raw));
    thrust::copy(p, p + n, q);
    std::vector<int> h(n);
    thrust::copy(q, q + n, h.begin());
    for (int i = 0; i < n; i++) h[i] *= 2;
    thrust::copy(h.begin(), h.end(), q);
    printf("%d %d\n", thrust::reduce(q, q + n), (int)thrust::count(q, q + n, 2000));
    thrust::device_vector<int> v(q, q + 10);
    cudaMemcpy(thrust::raw_pointer_cast(&v[0]), raw + 50, 5 * sizeof(int), cudaMemcpyDeviceToDevice);
    printf("%d %d\n", (int)v[0], (int)v[9]);
    thrust::device_free(p);
    cudaFree(raw);
}
