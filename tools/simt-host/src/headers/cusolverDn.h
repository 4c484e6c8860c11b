// <cusolverDn.h>: factors of dense matrices of real numbers, and systems of equations. Matrices are stored by
// columns. One block does a call.
#pragma once
#define CUSOLVER_COMMON_H_
#define CUSOLVERDN_H_
#include <cublas_v2.h>

#define CUSOLVER_VER_MAJOR 12
#define CUSOLVER_VER_MINOR 0

typedef enum {
    CUSOLVER_STATUS_SUCCESS = 0,
    CUSOLVER_STATUS_NOT_INITIALIZED = 1,
    CUSOLVER_STATUS_ALLOC_FAILED = 2,
    CUSOLVER_STATUS_INVALID_VALUE = 3,
    CUSOLVER_STATUS_ARCH_MISMATCH = 4,
    CUSOLVER_STATUS_MAPPING_ERROR = 5,
    CUSOLVER_STATUS_EXECUTION_FAILED = 6,
    CUSOLVER_STATUS_INTERNAL_ERROR = 7,
    CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSOLVER_STATUS_NOT_SUPPORTED = 9,
    CUSOLVER_STATUS_ZERO_PIVOT = 10,
    CUSOLVER_STATUS_INVALID_LICENSE = 11
} cusolverStatus_t;
struct cusolverDnContext {
    cudaStream_t stream;
};
typedef cusolverDnContext* cusolverDnHandle_t;

inline cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
    if (!handle) return CUSOLVER_STATUS_INVALID_VALUE;
    *handle = new cusolverDnContext();
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
    if (!handle) return CUSOLVER_STATUS_NOT_INITIALIZED;
    cudaDeviceSynchronize();
    delete handle;
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
    if (!handle) return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
    if (!handle) return CUSOLVER_STATUS_NOT_INITIALIZED;
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t __cusolver_issued() {
    const cudaError_t error = cudaPeekAtLastError();
    return error >= cudaErrorIllegalAddress && error <= cudaErrorLaunchFailure ? CUSOLVER_STATUS_EXECUTION_FAILED : CUSOLVER_STATUS_SUCCESS;
}

// LU with the largest element of each column as its pivot; without `pivots`, with the diagonal's.
template <typename T> __global__ void __cusolver_getrf(int m, int n, T* a, long long lda, int* pivots, int* info) {
    __shared__ int pivot;
    const int steps = m < n ? m : n;
    if (threadIdx.x == 0) *info = 0;
    for (int j = 0; j < steps; j++) {
        if (threadIdx.x == 0) {
            pivot = j;
            for (int i = j + 1; pivots && i < m; i++)
                if (fabs(a[i + j * lda]) > fabs(a[pivot + j * lda])) pivot = i;
            if (pivots) pivots[j] = pivot + 1;
            if (a[pivot + j * lda] == T(0) && *info == 0) *info = j + 1;
        }
        __syncthreads();
        if (pivot != j)
            for (int k = threadIdx.x; k < n; k += blockDim.x) {
                const T t = a[j + k * lda];
                a[j + k * lda] = a[pivot + k * lda];
                a[pivot + k * lda] = t;
            }
        __syncthreads();
        const T head = a[j + j * lda];
        if (head != T(0))
            for (int i = j + 1 + threadIdx.x; i < m; i += blockDim.x) a[i + j * lda] /= head;
        __syncthreads();
        const int rows = m - j - 1;
        for (int e = threadIdx.x; e < rows * (n - j - 1); e += blockDim.x) {
            const int i = j + 1 + e % rows, k = j + 1 + e / rows;
            a[i + k * lda] -= a[i + j * lda] * a[j + k * lda];
        }
        __syncthreads();
    }
}
// A triangle's system: thread by thread a column of the right side. `turned`: the transpose.
template <typename T> __device__ void __cusolver_triangle(bool lower, bool turned, bool unit, int n, const T* a, long long lda, T* x) {
    const bool forward = lower != turned;
    for (int step = 0; step < n; step++) {
        const int i = forward ? step : n - 1 - step;
        T value = x[i];
        for (int k = forward ? 0 : i + 1; k < (forward ? i : n); k++) value -= (turned ? a[k + i * lda] : a[i + k * lda]) * x[k];
        x[i] = unit ? value : value / a[i + i * lda];
    }
}
template <typename T> __global__ void __cusolver_getrs(bool turned, int n, int columns, const T* a, long long lda, const int* pivots, T* b, long long ldb, int* info) {
    if (threadIdx.x == 0) *info = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
        T* x = b + c * ldb;
        for (int s = 0; !turned && pivots && s < n; s++) {
            const T t = x[s];
            x[s] = x[pivots[s] - 1];
            x[pivots[s] - 1] = t;
        }
        __cusolver_triangle(!turned, turned, !turned, n, a, lda, x);
        __cusolver_triangle(turned, turned, turned, n, a, lda, x);
        for (int s = n - 1; turned && pivots && s >= 0; s--) {
            const T t = x[s];
            x[s] = x[pivots[s] - 1];
            x[pivots[s] - 1] = t;
        }
    }
}
// Cholesky: `at(i, j)` is an element of the lower triangle, whichever is stored.
template <typename T> __global__ void __cusolver_potrf(bool lower, int n, T* a, long long lda, int* info) {
    const long long down = lower ? 1 : lda, right = lower ? lda : 1;
    if (threadIdx.x == 0) *info = 0;
    __syncthreads();
    for (int j = 0; j < n; j++) {
        const T head = a[j * down + j * right];
        if (!(head > T(0))) {
            if (threadIdx.x == 0) *info = j + 1;
            return;
        }
        const T root = sqrt(head);
        __syncthreads();
        for (int i = j + threadIdx.x; i < n; i += blockDim.x) a[i * down + j * right] = i == j ? root : a[i * down + j * right] / root;
        __syncthreads();
        const int rows = n - j - 1;
        for (int e = threadIdx.x; e < rows * rows; e += blockDim.x) {
            const int i = j + 1 + e % rows, k = j + 1 + e / rows;
            if (i >= k) a[i * down + k * right] -= a[i * down + j * right] * a[k * down + j * right];
        }
        __syncthreads();
    }
}
template <typename T> __global__ void __cusolver_potrs(bool lower, int n, int columns, const T* a, long long lda, T* b, long long ldb, int* info) {
    if (threadIdx.x == 0) *info = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
        __cusolver_triangle(lower, !lower, false, n, a, lda, b + c * ldb);
        __cusolver_triangle(lower, lower, false, n, a, lda, b + c * ldb);
    }
}

#define __SOLVER(L, T)                                                                                                                   \
    inline cusolverStatus_t cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T* a, int lda, int* size) {         \
        if (!handle) return CUSOLVER_STATUS_NOT_INITIALIZED;                                                                             \
        if (m < 0 || n < 0 || !a || lda < __cublas_least(m) || !size) return CUSOLVER_STATUS_INVALID_VALUE;                              \
        *size = __cublas_least(n);                                                                                                       \
        return CUSOLVER_STATUS_SUCCESS;                                                                                                  \
    }                                                                                                                                    \
    inline cusolverStatus_t cusolverDn##L##getrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T*, int* pivots, int* info) {   \
        if (!handle) return CUSOLVER_STATUS_NOT_INITIALIZED;                                                                             \
        if (m < 0 || n < 0 || !a || lda < __cublas_least(m) || !info) return CUSOLVER_STATUS_INVALID_VALUE;                              \
        __cusolver_getrf<T><<<1, 256, 0, handle->stream>>>(m, n, a, lda, pivots, info);                                                  \
        return __cusolver_issued();                                                                                                      \
    }                                                                                                                                    \
    inline cusolverStatus_t cusolverDn##L##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns, const T* a, int lda, const int* pivots, T* b, int ldb, int* info) { \
        if (!handle) return CUSOLVER_STATUS_NOT_INITIALIZED;                                                                             \
        if (n < 0 || columns < 0 || !a || !b || lda < __cublas_least(n) || ldb < __cublas_least(n) || !info) return CUSOLVER_STATUS_INVALID_VALUE; \
        __cusolver_getrs<T><<<1, 256, 0, handle->stream>>>(op != CUBLAS_OP_N, n, columns, a, lda, pivots, b, ldb, info);                 \
        return __cusolver_issued();                                                                                                      \
    }                                                                                                                                    \
    inline cusolverStatus_t cusolverDn##L##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T* a, int lda, int* size) { \
        if (!handle) return CUSOLVER_STATUS_NOT_INITIALIZED;                                                                             \
        if (!__cublas_is_part(part) || n < 0 || !a || lda < __cublas_least(n) || !size) return CUSOLVER_STATUS_INVALID_VALUE;            \
        *size = __cublas_least(n);                                                                                                       \
        return CUSOLVER_STATUS_SUCCESS;                                                                                                  \
    }                                                                                                                                    \
    inline cusolverStatus_t cusolverDn##L##potrf(cusolverDnHandle_t handle, cublasFillMode_t part, int n, T* a, int lda, T*, int, int* info) { \
        if (!handle) return CUSOLVER_STATUS_NOT_INITIALIZED;                                                                             \
        if (!__cublas_is_part(part) || n < 0 || !a || lda < __cublas_least(n) || !info) return CUSOLVER_STATUS_INVALID_VALUE;            \
        __cusolver_potrf<T><<<1, 256, 0, handle->stream>>>(part == CUBLAS_FILL_MODE_LOWER, n, a, lda, info);                             \
        return __cusolver_issued();                                                                                                      \
    }                                                                                                                                    \
    inline cusolverStatus_t cusolverDn##L##potrs(cusolverDnHandle_t handle, cublasFillMode_t part, int n, int columns, const T* a, int lda, T* b, int ldb, int* info) { \
        if (!handle) return CUSOLVER_STATUS_NOT_INITIALIZED;                                                                             \
        if (!__cublas_is_part(part) || n < 0 || columns < 0 || !a || !b || lda < __cublas_least(n) || ldb < __cublas_least(n) || !info) return CUSOLVER_STATUS_INVALID_VALUE; \
        __cusolver_potrs<T><<<1, 256, 0, handle->stream>>>(part == CUBLAS_FILL_MODE_LOWER, n, columns, a, lda, b, ldb, info);            \
        return __cusolver_issued();                                                                                                      \
    }
__SOLVER(S, float)
__SOLVER(D, double)
#undef __SOLVER
#include <__cusolver_eigen>
