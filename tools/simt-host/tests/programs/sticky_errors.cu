// What each call returns after a kernel has left its array, and what pinned memory holds.
#include <cstdio>
__global__ void bad(int* a, int* flag) { a[(1ull << 40) + threadIdx.x] = 1; *flag = 1; }
#define SAY(x) do { cudaError_t e = x; printf("%-60s %s\n", #x, cudaGetErrorName(e)); } while (0)
int main() {
    int *d, *q, *flag, h = 7;
    cudaStream_t s; cudaStreamCreate(&s);
    cudaEvent_t ev; cudaEventCreate(&ev);
    cudaMallocHost(&flag, 4); *flag = 0;
    SAY(cudaMalloc(&d, 64));
    bad<<<1, 1>>>(d, flag);
    SAY(cudaGetLastError());
    SAY(cudaDeviceSynchronize());
    SAY(cudaGetLastError());
    SAY(cudaPeekAtLastError());
    SAY(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
    SAY(cudaMalloc(&q, 4));
    SAY(cudaStreamQuery(s));
    SAY(cudaEventRecord(ev));
    SAY(cudaEventQuery(ev));
    SAY(cudaFree(d));
    SAY(cudaGetLastError());
    printf("h = %d, flag = %d\n", h, *flag);
    int n = -1; SAY(cudaGetDeviceCount(&n)); printf("devices %d\n", n);
    return 0;
}
