// <cublas.h>: the interface without handles, of which the error is asked for.
#pragma once
#define CUBLAS_H_
#include <cublas_v2.h>

struct __cublas_state {
    cublasHandle_t handle;
    cublasStatus_t error;
};
inline __cublas_state& __cublas_own() {
    static __cublas_state one;
    return one;
}
inline void __cublas_note(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) __cublas_own().error = status;
}
inline cublasStatus_t cublasInit() { return __cublas_own().handle ? CUBLAS_STATUS_SUCCESS : cublasCreate(&__cublas_own().handle); }
inline cublasStatus_t cublasShutdown() {
    const cublasStatus_t status = cublasDestroy(__cublas_own().handle);
    __cublas_own().handle = nullptr;
    return status;
}
inline cublasStatus_t cublasGetError() {
    const cublasStatus_t error = __cublas_own().error;
    __cublas_own().error = CUBLAS_STATUS_SUCCESS;
    return error;
}
inline cublasStatus_t cublasSetKernelStream(cudaStream_t stream) { return cublasSetStream(__cublas_own().handle, stream); }
inline cublasStatus_t cublasAlloc(int n, int size, void** to) {
    if (n <= 0 || size <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    return cudaMalloc(to, (size_t)n * size) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus_t cublasFree(void* at) { return cudaFree(at) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR; }

// Orientations are letters; one that is none gives a value that is none.
inline cublasOperation_t __cublas_op(char letter) {
    switch (letter) {
    case 'n':
    case 'N': return CUBLAS_OP_N;
    case 't':
    case 'T': return CUBLAS_OP_T;
    case 'c':
    case 'C': return CUBLAS_OP_C;
    default: return (cublasOperation_t)-1;
    }
}
#define __OWN __cublas_own().handle
#define __PLAIN(L, l, T)                                                                                                               \
    inline void cublas##L##axpy(int n, T alpha, const T* x, int incx, T* y, int incy) { __cublas_note(cublas##L##axpy(__OWN, n, &alpha, x, incx, y, incy)); } \
    inline void cublas##L##scal(int n, T alpha, T* x, int incx) { __cublas_note(cublas##L##scal(__OWN, n, &alpha, x, incx)); }         \
    inline void cublas##L##copy(int n, const T* x, int incx, T* y, int incy) { __cublas_note(cublas##L##copy(__OWN, n, x, incx, y, incy)); } \
    inline void cublas##L##swap(int n, T* x, int incx, T* y, int incy) { __cublas_note(cublas##L##swap(__OWN, n, x, incx, y, incy)); } \
    inline T cublas##L##dot(int n, const T* x, int incx, const T* y, int incy) {                                                       \
        T result = 0;                                                                                                                  \
        __cublas_note(cublas##L##dot(__OWN, n, x, incx, y, incy, &result));                                                            \
        return result;                                                                                                                 \
    }                                                                                                                                  \
    inline T cublas##L##asum(int n, const T* x, int incx) {                                                                            \
        T result = 0;                                                                                                                  \
        __cublas_note(cublas##L##asum(__OWN, n, x, incx, &result));                                                                    \
        return result;                                                                                                                 \
    }                                                                                                                                  \
    inline T cublas##L##nrm2(int n, const T* x, int incx) {                                                                            \
        T result = 0;                                                                                                                  \
        __cublas_note(cublas##L##nrm2(__OWN, n, x, incx, &result));                                                                    \
        return result;                                                                                                                 \
    }                                                                                                                                  \
    inline int cublasI##l##amax(int n, const T* x, int incx) {                                                                         \
        int result = 0;                                                                                                                \
        __cublas_note(cublasI##l##amax(__OWN, n, x, incx, &result));                                                                   \
        return result;                                                                                                                 \
    }                                                                                                                                  \
    inline void cublas##L##gemv(char op, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y, int incy) {   \
        __cublas_note(cublas##L##gemv(__OWN, __cublas_op(op), m, n, &alpha, a, lda, x, incx, &beta, y, incy));                         \
    }                                                                                                                                  \
    inline void cublas##L##gemm(char transa, char transb, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c, int ldc) { \
        __cublas_note(cublas##L##gemm(__OWN, __cublas_op(transa), __cublas_op(transb), m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc)); \
    }
__PLAIN(S, s, float)
__PLAIN(D, d, double)
#undef __PLAIN
#undef __OWN
