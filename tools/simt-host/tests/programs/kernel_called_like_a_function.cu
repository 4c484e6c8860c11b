// A kernel that is called through a pointer, without <<<>>>, does nothing but set the last error.
#include <cstdio>
__global__ void k(int* p) { p[0] = 5; }
int main() {
    int* d; cudaMalloc(&d, 16); cudaMemset(d, 0, 16);
    int h = -1;
    void (*f)(int*) = k;
    f(d);
    cudaError_t e = cudaGetLastError();
    printf("called through a pointer: %s (%d)\n", cudaGetErrorName(e), (int)e);
    e = cudaDeviceSynchronize();
    printf("sync: %s\n", cudaGetErrorName(e));
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("h = %d\n", h);
    f<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("launched: h = %d\n", h);
    return 0;
}
