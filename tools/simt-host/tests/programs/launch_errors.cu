// The error codes of launches that never start, and the last error after each.
#include <cstdio>
__global__ void k(int* p) { if (p) p[0] = 5; }
__global__ void __launch_bounds__(64) bounded(int* p) { if (p) p[0] = 5; }
#define TRY(...) do { __VA_ARGS__; cudaError_t a = cudaPeekAtLastError(), b = cudaGetLastError(), c = cudaGetLastError(), d = cudaDeviceSynchronize(); \
    printf("%-40s %s %s then %s, sync %s\n", #__VA_ARGS__, cudaGetErrorName(a), cudaGetErrorName(b), cudaGetErrorName(c), cudaGetErrorName(d)); } while (0)
int main() {
    int* n = nullptr;
    TRY((k<<<1, 2048>>>(n)));
    TRY((k<<<0, 32>>>(n)));
    TRY((k<<<1, 0>>>(n)));
    TRY((k<<<dim3(1, 70000), 32>>>(n)));
    TRY((k<<<1, dim3(1, 1, 65)>>>(n)));
    TRY((k<<<1, 32, 1 << 20>>>(n)));
    TRY((bounded<<<1, 128>>>(n)));
    return 0;
}
