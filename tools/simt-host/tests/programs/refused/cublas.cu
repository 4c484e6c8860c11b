#include <cublas_v2.h>
#include <stdio.h>

int main() {
    cublasHandle_t handle;
    cublasCreate(&handle);
    float alpha = 2.0f, *x, *y;
    cudaMalloc(&x, 40);
    cudaMalloc(&y, 40);
    cublasSaxpy(handle, 10, &alpha, x, 1, y, 1);
    cublasDestroy(handle);
    printf("passed\n");
}
