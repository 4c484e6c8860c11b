// <cuda.h>, <cudaTypedefs.h>: of the driver's interface, tensor maps, and the call that asks for its functions.
#include <stdint.h>
#define CUDA_VERSION 13000
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef struct __align__(64) CUtensorMap_st {
    cuuint64_t opaque[16];
} CUtensorMap;
typedef enum CUtensorMapDataType_enum {
    CU_TENSOR_MAP_DATA_TYPE_UINT8 = 0,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
    CU_TENSOR_MAP_INTERLEAVE_NONE = 0,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
    CU_TENSOR_MAP_SWIZZLE_NONE = 0,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

inline CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address, const cuuint64_t* sizes,
                                       const cuuint64_t* strides, const cuuint32_t* box, const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    if (!map || (cuuint64_t)map % 64 != 0 || type < 0 || type > CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ || rank < 1 || rank > 5 || !sizes || !box ||
        !steps || (rank > 1 && !strides) || interleave < 0 || interleave > 2 || swizzle < 0 || swizzle > 3 || promotion < 0 || promotion > 3 ||
        fill < 0 || fill > 1 || (fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA && type < CU_TENSOR_MAP_DATA_TYPE_FLOAT16))
        return CUDA_ERROR_INVALID_VALUE;
    if (type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ) __host_refuse("a tensor map of the type FLOAT32_FTZ, TFLOAT32 or TFLOAT32_FTZ");
    if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) __host_refuse("a tensor map with CU_TENSOR_MAP_INTERLEAVE_16B or _32B");
    if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) __host_refuse("a tensor map with CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA");
    cuuint64_t numbers[23] = {};
    numbers[0] = type;
    numbers[1] = rank;
    numbers[2] = (cuuint64_t)address;
    numbers[3] = swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ? 0 : 16ull << swizzle;
    for (cuuint32_t axis = 0; axis < 5; ++axis) {
        bool there = axis < rank;
        numbers[4 + axis] = there ? sizes[axis] : 1;
        numbers[9 + axis] = there ? box[axis] : 1;
        numbers[14 + axis] = there ? steps[axis] : 1;
        if (axis + 1 < rank) numbers[19 + axis] = strides[axis];
    }
    return (CUresult)__host_tensor_map(map, numbers);
}
typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                                                      const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                                      CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeTiled_v12000 PFN_cuTensorMapEncodeTiled;

enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0,
    cudaDriverEntryPointSymbolNotFound = 1,
    cudaDriverEntryPointVersionNotSufficent = 2
};
enum cudaGetDriverEntryPointFlags { cudaEnableDefault = 0, cudaEnableLegacyStream = 1, cudaEnablePerThreadDefaultStream = 2 };
inline cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** to, unsigned int version, unsigned long long flags,
                                                    cudaDriverEntryPointQueryResult* result = nullptr) {
    *to = nullptr;
    if (__host_strcmp(name, "cuTensorMapEncodeTiled") != 0) __host_refuse("a function of the driver but `cuTensorMapEncodeTiled`");
    bool old = version < 12000;
    if (!old) *to = (void*)&cuTensorMapEncodeTiled;
    if (result) *result = old ? cudaDriverEntryPointVersionNotSufficent : cudaDriverEntryPointSuccess;
    return cudaSuccess;
}
inline cudaError_t cudaGetDriverEntryPoint(const char* name, void** to, unsigned long long flags, cudaDriverEntryPointQueryResult* result = nullptr) {
    return cudaGetDriverEntryPointByVersion(name, to, 13000, flags, result);
}
