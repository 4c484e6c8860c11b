// <cufft.h>: discrete Fourier transforms, which the simulator computes in doubles: see `__cufft_transform`.
#pragma once
#define _CUFFT_H_
#include <cuComplex.h>
#include <library_types.h>

#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VERSION 12000
#define CUFFTAPI
#define MAX_CUFFT_ERROR 0x11
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_NOT_SUPPORTED = 16
} cufftResult;
typedef enum cufftType_t {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
} cufftType;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;

// What a transform is: the simulator reads these places.
struct __cufft_shape {
    int sizes[3];
    int rank;
    long long unused[2];
    long long from_stride, from_distance;
    long long to_stride, to_distance;
    int batches;
    int direction;
    int kind; // 1: from real numbers, 2: to real numbers, 4: in doubles
    int basic; // the layout is the usual one
    int from_embedded[3], to_embedded[3];
};
__device__ inline long long __cufft_place(long long at, int rows, int columns, const int* embedded, long long stride) {
    if (embedded[1] == rows && embedded[2] == columns) return at * stride;
    const long long row = at / columns;
    return (((row / rows) * embedded[1] + row % rows) * embedded[2] + at % columns) * stride;
}
// A block reads and then writes each element of a transform once; what they are, the simulator computes.
template <typename T, typename U> __global__ void __cufft_transform(const T* from, U* to, __cufft_shape s) {
    const int half = s.sizes[2] / 2 + 1;
    const int from_columns = s.kind & 2 ? half : s.sizes[2], to_columns = s.kind & 1 ? half : s.sizes[2];
    const long long lines = (long long)s.sizes[0] * s.sizes[1];
    for (int batch = blockIdx.x; batch < s.batches; batch += gridDim.x) {
        for (long long at = threadIdx.x; at < lines * from_columns; at += blockDim.x) {
            const T seen = from[batch * s.from_distance + __cufft_place(at, s.sizes[1], from_columns, s.from_embedded, s.from_stride)];
            (void)seen;
        }
        __syncthreads();
        for (long long at = threadIdx.x; at < lines * to_columns; at += blockDim.x) to[batch * s.to_distance + __cufft_place(at, s.sizes[1], to_columns, s.to_embedded, s.to_stride)] = U();
    }
}

struct __cufft_plan {
    bool made;
    cufftType type;
    __cufft_shape shape;
    cudaStream_t stream;
};
struct __cufft_table {
    __cufft_plan* plans[1024];
};
inline __cufft_table& __cufft_plans() {
    static __cufft_table one;
    return one;
}
inline __cufft_plan* __cufft_find(cufftHandle plan) { return plan > 0 && plan < 1024 ? __cufft_plans().plans[plan] : nullptr; }

inline cufftResult cufftCreate(cufftHandle* plan) {
    if (!plan) return CUFFT_INVALID_VALUE;
    for (int at = 1; at < 1024; at++) {
        if (__cufft_plans().plans[at]) continue;
        __cufft_plans().plans[at] = new __cufft_plan();
        *plan = at;
        return CUFFT_SUCCESS;
    }
    return CUFFT_ALLOC_FAILED;
}
inline cufftResult cufftDestroy(cufftHandle plan) {
    __cufft_plan* found = __cufft_find(plan);
    if (!found) return CUFFT_INVALID_PLAN;
    delete found;
    __cufft_plans().plans[plan] = nullptr;
    return CUFFT_SUCCESS;
}
inline cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
    __cufft_plan* found = __cufft_find(plan);
    if (!found) return CUFFT_INVALID_PLAN;
    found->stream = stream;
    return CUFFT_SUCCESS;
}
inline bool __cufft_is_type(cufftType type) { return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D; }

// Without `inembed` and `onembed` the elements are together, and so are the transforms.
inline cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, cufftType type, int batch, size_t* work) {
    __cufft_plan* found = __cufft_find(plan);
    if (!found || found->made) return CUFFT_INVALID_PLAN;
    if (!__cufft_is_type(type)) return CUFFT_INVALID_TYPE;
    if (rank < 1 || rank > 3 || !n) return CUFFT_INVALID_VALUE;
    if (batch < 1) return CUFFT_INVALID_SIZE;
    for (int i = 0; i < rank; i++)
        if (n[i] < 1) return CUFFT_INVALID_SIZE;
    const bool advanced = inembed && onembed;
    __cufft_shape s = {};
    for (int i = 0; i < 3; i++) {
        const int at = i - (3 - rank);
        s.sizes[i] = at < 0 ? 1 : n[at];
        s.from_embedded[i] = at < 0 ? 1 : advanced ? inembed[at] : n[at];
        s.to_embedded[i] = at < 0 ? 1 : advanced ? onembed[at] : n[at];
        if (s.from_embedded[i] < 1 || s.to_embedded[i] < 1) return CUFFT_INVALID_SIZE;
    }
    s.rank = rank;
    s.basic = !advanced;
    s.from_stride = advanced ? istride : 1;
    s.to_stride = advanced ? ostride : 1;
    s.from_distance = idist;
    s.to_distance = odist;
    s.batches = batch;
    s.kind = (type == CUFFT_R2C || type == CUFFT_D2Z ? 1 : 0) | (type == CUFFT_C2R || type == CUFFT_Z2D ? 2 : 0) | (type & 0x40 ? 4 : 0);
    found->made = true;
    found->type = type;
    found->shape = s;
    if (work) *work = 0;
    return CUFFT_SUCCESS;
}
inline cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work) {
    int n[1] = {nx};
    return cufftMakePlanMany(plan, 1, n, nullptr, 1, 0, nullptr, 1, 0, type, batch, work);
}
inline cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work) {
    int n[2] = {nx, ny};
    return cufftMakePlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
inline cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* work) {
    int n[3] = {nx, ny, nz};
    return cufftMakePlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work);
}
#define __MADE(call)                                         \
    if (!plan) return CUFFT_INVALID_VALUE;                   \
    cufftResult result = cufftCreate(plan);                  \
    if (result != CUFFT_SUCCESS) return result;              \
    size_t work = 0;                                         \
    result = call;                                           \
    if (result != CUFFT_SUCCESS) cufftDestroy(*plan);        \
    return result;
inline cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) { __MADE(cufftMakePlan1d(*plan, nx, type, batch, &work)) }
inline cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) { __MADE(cufftMakePlan2d(*plan, nx, ny, type, &work)) }
inline cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) { __MADE(cufftMakePlan3d(*plan, nx, ny, nz, type, &work)) }
inline cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, cufftType type, int batch) {
    __MADE(cufftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, &work))
}
#undef __MADE
inline cufftResult cufftGetSize(cufftHandle plan, size_t* work) {
    if (!__cufft_find(plan)) return CUFFT_INVALID_PLAN;
    *work = 0;
    return CUFFT_SUCCESS;
}
inline cufftResult cufftSetAutoAllocation(cufftHandle plan, int) { return __cufft_find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
inline cufftResult cufftSetWorkArea(cufftHandle plan, void*) { return __cufft_find(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN; }
inline cufftResult cufftGetVersion(int* version) {
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

template <typename T, typename U> inline cufftResult __cufft_run(cufftHandle plan, cufftType type, const T* from, U* to, int direction) {
    __cufft_plan* found = __cufft_find(plan);
    if (!found || !found->made) return CUFFT_INVALID_PLAN;
    if (found->type != type) return CUFFT_INVALID_TYPE;
    if (!from || !to) return CUFFT_EXEC_FAILED;
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
    __cufft_shape s = found->shape;
    s.direction = direction;
    if (s.basic) {
        // In place, the rows of real numbers have room for those of complex ones.
        const int half = s.sizes[2] / 2 + 1, room = (const void*)from == (const void*)to ? 2 * half : s.sizes[2];
        s.from_embedded[2] = s.kind & 1 ? room : s.kind & 2 ? half : s.sizes[2];
        s.to_embedded[2] = s.kind & 1 ? half : s.kind & 2 ? room : s.sizes[2];
        const long long lines = (long long)s.sizes[0] * s.sizes[1];
        s.from_distance = lines * s.from_embedded[2];
        s.to_distance = lines * s.to_embedded[2];
    }
    __cufft_transform<T, U><<<s.batches > 65535 ? 65535 : s.batches, s.sizes[0] * (long long)s.sizes[1] * s.sizes[2] >= 256 ? 256 : 32, 0, found->stream>>>(from, to, s);
    const cudaError_t error = cudaPeekAtLastError();
    return error >= cudaErrorIllegalAddress && error <= cudaErrorLaunchFailure ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}
inline cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* from, cufftComplex* to, int direction) { return __cufft_run(plan, CUFFT_C2C, from, to, direction); }
inline cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleComplex* to, int direction) { return __cufft_run(plan, CUFFT_Z2Z, from, to, direction); }
inline cufftResult cufftExecR2C(cufftHandle plan, cufftReal* from, cufftComplex* to) { return __cufft_run(plan, CUFFT_R2C, from, to, CUFFT_FORWARD); }
inline cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* from, cufftDoubleComplex* to) { return __cufft_run(plan, CUFFT_D2Z, from, to, CUFFT_FORWARD); }
inline cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* from, cufftReal* to) { return __cufft_run(plan, CUFFT_C2R, from, to, CUFFT_INVERSE); }
inline cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleReal* to) { return __cufft_run(plan, CUFFT_Z2D, from, to, CUFFT_INVERSE); }
