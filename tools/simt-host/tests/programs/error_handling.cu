// Errors that a program makes on purpose: their numbers, names and texts.
#include <cstdio>
#include <cstdlib>

__global__ void nothing() {}
__global__ void fill(int* p, int v) { p[threadIdx.x] = v; }

static void show(const char* what, cudaError_t e) { printf("%-28s %3d %s: %s\n", what, (int)e, cudaGetErrorName(e), cudaGetErrorString(e)); }

int main() {
    show("success", cudaSuccess);
    nothing<<<1, 2048>>>();
    show("too many threads", cudaPeekAtLastError());
    show("again", cudaGetLastError());
    show("now gone", cudaGetLastError());
    nothing<<<0, 32>>>();
    show("no blocks", cudaGetLastError());
    nothing<<<dim3(1, 1, 1), dim3(1, 1, 65)>>>();
    show("too deep", cudaGetLastError());
    nothing<<<1, 32, 512 * 1024>>>();
    show("too much shared memory", cudaGetLastError());
    void* p = nullptr;
    show("too much memory", cudaMalloc(&p, (size_t)1 << 60));
    printf("pointer is %s\n", p == nullptr ? "null" : "not null");
    cudaGetLastError();
    show("no such device", cudaSetDevice(99));
    cudaGetLastError();
    show("null free", cudaFree(nullptr));
    int* d = nullptr;
    show("malloc", cudaMalloc(&d, 32 * sizeof(int)));
    int h[32] = {0};
    show("bad direction", cudaMemcpy(d, h, sizeof h, (cudaMemcpyKind)99));
    cudaGetLastError();
    show("zero bytes", cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice));
    fill<<<1, 32>>>(d, 7);
    show("launch", cudaGetLastError());
    show("synchronize", cudaDeviceSynchronize());
    show("memcpy", cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    float ms;
    show("events never recorded", cudaEventElapsedTime(&ms, a, b));
    cudaGetLastError();
    show("free", cudaFree(d));
    show("free twice", cudaFree(d));
    cudaGetLastError();
    show("out of memory", cudaErrorMemoryAllocation);
    show("illegal address", cudaErrorIllegalAddress);
    show("not ready", cudaErrorNotReady);
    show("invalid function", cudaErrorInvalidDeviceFunction);
    show("unknown", cudaErrorUnknown);
    show("no number", (cudaError_t)12345);
    bool ok = h[31] == 7 && cudaGetLastError() == cudaSuccess;
    printf("%s\n", ok ? "passed" : "FAILED");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
