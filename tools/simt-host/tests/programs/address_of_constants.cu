// Constants have addresses: of the file, of functions on both sides, of templates.
#include <cstdio>

const int scale = 42;
static const float gain = 1.5f;
constexpr double limit = 2.5;
__constant__ int device_scale;

__device__ int twice(const int *value) { return *value * 2; }

__global__ void use(int *out) {
    const int seven = 7;
    const int *where = &seven;
    out[threadIdx.x] = *where + device_scale + twice(&seven) + (int)threadIdx.x * seven;
}

template <int N>
int doubled() {
    const int n = N * 2;
    const int *p = &n;
    return *p + n;
}

int calls() {
    static const int step = 8;
    const int *p = &step;
    return *p;
}

int main() {
    const int threads = 4;
    const size_t bytes = threads * sizeof(int);
    int *out;
    cudaMalloc(&out, bytes);
    cudaMemcpyToSymbol(device_scale, &scale, sizeof scale);
    void *arguments[] = {(void *)&out};
    cudaLaunchKernel((const void *)use, dim3(1), dim3(threads), arguments, 0, 0);
    int host[threads];
    cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < threads; ++i) printf("%d ", host[i]);
    printf("\n%d %g %g\n", *&scale, *&gain, *&limit);
    for (int i = 0; i < 2; ++i) {
        const int three = 3;
        const int *inner = &three;
        printf("%d ", *inner + i);
    }
    const int five = 5;
    const int *outer = &five;
    {
        const int five = 6;
        const int *inner = &five;
        printf("%d %d %d\n", *outer, *inner, outer == inner);
    }
    int start = 11;
    const int again = 9;
    int *device;
    cudaMalloc(&device, sizeof(int));
    cudaMemcpy(device, &again, sizeof again, cudaMemcpyHostToDevice);
    cudaMemcpy(&start, device, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", start, doubled<4>(), calls());
    cudaFree(device);
    cudaFree(out);
    return 0;
}
