// <cusparse.h>: the generic interface for sparse matrices of real numbers, times a vector or a matrix. A
// thread makes one element.
#pragma once
#define CUSPARSE_H_
#define CUSPARSEAPI
#include <stdint.h>
#include <library_types.h>

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VERSION 12600

typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum { CUSPARSE_OPERATION_NON_TRANSPOSE = 0, CUSPARSE_OPERATION_TRANSPOSE = 1, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2 } cusparseOperation_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_SPMV_COO_ALG1 = 1, CUSPARSE_SPMV_CSR_ALG1 = 2, CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_SPMV_COO_ALG2 = 4 } cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;

struct cusparseContext {
    cudaStream_t stream;
    cusparsePointerMode_t pointers;
};
typedef cusparseContext* cusparseHandle_t;
// `rows` of COO is a row per value, that of CSR where each row begins.
struct cusparseSpMatDescr {
    bool is_csr;
    int64_t height, width, count;
    void *rows, *columns, *values;
    cusparseIndexBase_t base;
    cudaDataType type;
};
struct cusparseDnVecDescr {
    int64_t size;
    void* values;
    cudaDataType type;
};
struct cusparseDnMatDescr {
    int64_t height, width, leading;
    void* values;
    cudaDataType type;
    cusparseOrder_t order;
};
typedef cusparseSpMatDescr *cusparseSpMatDescr_t, *cusparseConstSpMatDescr_t;
typedef cusparseDnVecDescr *cusparseDnVecDescr_t, *cusparseConstDnVecDescr_t;
typedef cusparseDnMatDescr *cusparseDnMatDescr_t, *cusparseConstDnMatDescr_t;

inline const char* cusparseGetErrorName(cusparseStatus_t status) {
    const char* names[12] = {"CUSPARSE_STATUS_SUCCESS", "CUSPARSE_STATUS_NOT_INITIALIZED", "CUSPARSE_STATUS_ALLOC_FAILED", "CUSPARSE_STATUS_INVALID_VALUE",
        "CUSPARSE_STATUS_ARCH_MISMATCH", "CUSPARSE_STATUS_MAPPING_ERROR", "CUSPARSE_STATUS_EXECUTION_FAILED", "CUSPARSE_STATUS_INTERNAL_ERROR",
        "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "CUSPARSE_STATUS_ZERO_PIVOT", "CUSPARSE_STATUS_NOT_SUPPORTED", "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
    return (unsigned int)status < 12 ? names[status] : "unrecognized error code";
}
inline const char* cusparseGetErrorString(cusparseStatus_t status) {
    const char* texts[12] = {"success", "initialization error", "out of memory", "invalid value", "architecture mismatch", "mapping error",
        "kernel launch failure", "internal error", "matrix type not supported", "zero pivot", "operation not supported", "insufficient resources"};
    return (unsigned int)status < 12 ? texts[status] : "unrecognized error code";
}
inline cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
    if (!handle) return CUSPARSE_STATUS_INVALID_VALUE;
    *handle = new cusparseContext();
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
    if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
    cudaDeviceSynchronize();
    delete handle;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
    if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
    if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
    handle->pointers = mode;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int* version) {
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

inline cusparseStatus_t __cusparse_matrix(cusparseSpMatDescr_t* to, const cusparseSpMatDescr& made, cusparseIndexType_t rows, cusparseIndexType_t columns) {
    if (!to || made.height < 0 || made.width < 0 || made.count < 0) return CUSPARSE_STATUS_INVALID_VALUE;
    if (rows != CUSPARSE_INDEX_32I || columns != CUSPARSE_INDEX_32I) __host_refuse("cuSPARSE with indices other than CUSPARSE_INDEX_32I");
    if (made.type != CUDA_R_32F && made.type != CUDA_R_64F) __host_refuse("cuSPARSE with numbers other than CUDA_R_32F and CUDA_R_64F");
    *to = new cusparseSpMatDescr(made);
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* to, int64_t rows, int64_t cols, int64_t nnz, void* offsets, void* columns, void* values, cusparseIndexType_t offset_type, cusparseIndexType_t column_type, cusparseIndexBase_t base, cudaDataType type) {
    return __cusparse_matrix(to, {true, rows, cols, nnz, offsets, columns, values, base, type}, offset_type, column_type);
}
inline cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* to, int64_t rows, int64_t cols, int64_t nnz, void* row_indices, void* columns, void* values, cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {
    return __cusparse_matrix(to, {false, rows, cols, nnz, row_indices, columns, values, base, type}, index_type, index_type);
}
inline cusparseStatus_t cusparseDestroySpMat(cusparseSpMatDescr_t matrix) {
    delete matrix;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* to, int64_t size, void* values, cudaDataType type) {
    if (!to || size < 0) return CUSPARSE_STATUS_INVALID_VALUE;
    *to = new cusparseDnVecDescr{size, values, type};
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroyDnVec(cusparseDnVecDescr_t vector) {
    delete vector;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
    vector->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* to, int64_t rows, int64_t cols, int64_t leading, void* values, cudaDataType type, cusparseOrder_t order) {
    if (!to || rows < 0 || cols < 0 || leading < (order == CUSPARSE_ORDER_COL ? rows : cols)) return CUSPARSE_STATUS_INVALID_VALUE;
    *to = new cusparseDnMatDescr{rows, cols, leading, values, type, order};
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroyDnMat(cusparseDnMatDescr_t matrix) {
    delete matrix;
    return CUSPARSE_STATUS_SUCCESS;
}

// A scalar of a call: a value of the host, or the address of one of the device.
template <typename T> struct __cusparse_scalar {
    T value;
    const T* at;
    __cusparse_scalar(cusparseHandle_t handle, const void* from) : value(T(0)), at((const T*)from) {
        if (handle->pointers == CUSPARSE_POINTER_MODE_DEVICE) return;
        value = *at;
        at = nullptr;
    }
    __device__ T get() const { return at ? *at : value; }
};
// Vectors are matrices with one column.
template <typename T> struct __cusparse_dense {
    T* values;
    long long down, right;
    __device__ T& operator()(long long row, long long column) const { return values[row * down + column * right]; }
};
template <typename T> inline __cusparse_dense<T> __cusparse_dense_of(const cusparseDnMatDescr* m, bool turned) {
    const bool by_columns = (m->order == CUSPARSE_ORDER_COL) != turned;
    return {(T*)m->values, by_columns ? 1 : (long long)m->leading, by_columns ? (long long)m->leading : 1};
}
template <typename T> __global__ void __cusparse_rows(int height, int columns, int base, const int* begins, const int* column, const T* values, __cusparse_scalar<T> alpha, __cusparse_dense<T> x, __cusparse_scalar<T> beta, __cusparse_dense<T> y) {
    const long long all = (long long)height * columns;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < all; i += gridDim.x * (long long)blockDim.x) {
        const int row = (int)(i / columns), c = (int)(i % columns);
        T sum = 0;
        for (int k = begins[row] - base; k < begins[row + 1] - base; k++) sum += values[k] * x(column[k] - base, c);
        const T keep = beta.get();
        y(row, c) = keep == T(0) ? alpha.get() * sum : alpha.get() * sum + keep * y(row, c);
    }
}
template <typename T> __global__ void __cusparse_scale(int height, int columns, __cusparse_scalar<T> beta, __cusparse_dense<T> y) {
    const T keep = beta.get();
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < (long long)height * columns; i += gridDim.x * (long long)blockDim.x) {
        T& at = y(i / columns, i % columns);
        at = keep == T(0) ? T(0) : keep * at;
    }
}
// What lies in the values' order is added where it belongs: COO, and the transpose of CSR.
template <typename T> __global__ void __cusparse_scatter(bool is_csr, bool turned, int height, int count, int columns, int base, const int* rows, const int* column, const T* values, __cusparse_scalar<T> alpha, __cusparse_dense<T> x, __cusparse_dense<T> y) {
    const int all = is_csr ? height : count;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) {
        const int from = is_csr ? rows[i] - base : i, to = is_csr ? rows[i + 1] - base : i + 1;
        for (int k = from; k < to; k++) {
            const int row = is_csr ? i : rows[k] - base, other = column[k] - base;
            for (int c = 0; c < columns; c++) atomicAdd(&y(turned ? other : row, c), alpha.get() * values[k] * x(turned ? row : other, c));
        }
    }
}
template <typename T> inline void __cusparse_product(cusparseHandle_t handle, bool turned, const cusparseSpMatDescr* a, const void* alpha, const void* beta, __cusparse_dense<T> x, __cusparse_dense<T> y, int columns) {
    const int results = (int)(turned ? a->width : a->height), base = (int)a->base;
    const __cusparse_scalar<T> scale(handle, alpha), keep(handle, beta);
    const long long elements = (long long)results * columns;
    const unsigned int blocks = (unsigned int)(elements < 256 ? 1 : elements < 262144 ? (elements + 255) / 256 : 1024);
    const int *rows = (const int*)a->rows, *column = (const int*)a->columns;
    const T* values = (const T*)a->values;
    if (a->is_csr && !turned) {
        __cusparse_rows<T><<<blocks, 256, 0, handle->stream>>>(results, columns, base, rows, column, values, scale, x, keep, y);
        return;
    }
    __cusparse_scale<T><<<blocks, 256, 0, handle->stream>>>(results, columns, keep, y);
    __cusparse_scatter<T><<<blocks, 256, 0, handle->stream>>>(a->is_csr, turned, (int)a->height, (int)a->count, columns, base, rows, column, values, scale, x, y);
}
inline cusparseStatus_t __cusparse_issued() {
    const cudaError_t error = cudaPeekAtLastError();
    return error >= cudaErrorIllegalAddress && error <= cudaErrorLaunchFailure ? CUSPARSE_STATUS_EXECUTION_FAILED : CUSPARSE_STATUS_SUCCESS;
}
inline void __cusparse_types(cudaDataType a, cudaDataType x, cudaDataType y, cudaDataType compute) {
    if (a != x || a != y || a != compute) __host_refuse("cuSPARSE with numbers of several types in one call");
}

inline cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t, const void*, cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, size_t* bytes) {
    if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!a || !bytes) return CUSPARSE_STATUS_INVALID_VALUE;
    *bytes = 8;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*, cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void*) {
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}
inline cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t, void*) {
    if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !a || !x || !beta || !y) return CUSPARSE_STATUS_INVALID_VALUE;
    const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    if (x->size != (turned ? a->height : a->width) || y->size != (turned ? a->width : a->height)) return CUSPARSE_STATUS_INVALID_VALUE;
    __cusparse_types(a->type, x->type, y->type, compute);
    if (compute == CUDA_R_32F) __cusparse_product<float>(handle, turned, a, alpha, beta, {(float*)x->values, 1, 0}, {(float*)y->values, 1, 0}, 1);
    else __cusparse_product<double>(handle, turned, a, alpha, beta, {(double*)x->values, 1, 0}, {(double*)y->values, 1, 0}, 1);
    return __cusparse_issued();
}
inline cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t, const void*, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, size_t* bytes) {
    if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!a || !bytes) return CUSPARSE_STATUS_INVALID_VALUE;
    *bytes = 8;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void*, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, void*) {
    return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}
inline cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op, cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t, void*) {
    if (!handle) return CUSPARSE_STATUS_NOT_INITIALIZED;
    if (!alpha || !a || !b || !beta || !c) return CUSPARSE_STATUS_INVALID_VALUE;
    const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE, turned_b = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int64_t terms = turned ? a->height : a->width, results = turned ? a->width : a->height;
    if ((turned_b ? b->width : b->height) != terms || c->height != results || (turned_b ? b->height : b->width) != c->width) return CUSPARSE_STATUS_INVALID_VALUE;
    __cusparse_types(a->type, b->type, c->type, compute);
    if (compute == CUDA_R_32F) __cusparse_product<float>(handle, turned, a, alpha, beta, __cusparse_dense_of<float>(b, turned_b), __cusparse_dense_of<float>(c, false), (int)c->width);
    else __cusparse_product<double>(handle, turned, a, alpha, beta, __cusparse_dense_of<double>(b, turned_b), __cusparse_dense_of<double>(c, false), (int)c->width);
    return __cusparse_issued();
}
