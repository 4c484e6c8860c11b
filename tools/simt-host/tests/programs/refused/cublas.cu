#include <cublas_v2.h>
#include <stdio.h>

int main() {
    cublasHandle_t handle;
    cublasCreate(&handle);
    cuComplex alpha = make_cuComplex(2.0f, 0.0f), *x, *y;
    cudaMalloc(&x, 80);
    cudaMalloc(&y, 80);
    cublasCaxpy(handle, 10, &alpha, x, 1, y, 1);
    cublasDestroy(handle);
    printf("passed\n");
}
