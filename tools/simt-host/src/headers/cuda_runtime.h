// The CUDA runtime API, which nvcc includes before every file.
#include <new>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

// What glibc's <sys/types.h> declares, which nvcc's own headers include.
typedef unsigned char u_char, u_int8_t, __uint8_t, __u_char;
typedef unsigned short u_short, u_int16_t, __uint16_t, __u_short;
typedef unsigned int u_int, u_int32_t, __uint32_t, __u_int;
typedef unsigned long u_long, u_int64_t, __uint64_t, __u_long;
typedef signed char __int8_t;
typedef short __int16_t;
typedef int __int32_t;
typedef long __int64_t, __clock_t, __time_t;

// What an assertion that fails calls.
inline void __assert_fail(const char* what, const char* file, unsigned int line, const char* function) {
    __host_fprintf(2, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, what);
    __host_abort();
}
__device__ inline void __assert_fail(const char* what, const char* file, unsigned int line, const char* function) {
    printf("%s:%u: %s: Assertion `%s' failed.\n", file, line, function, what);
    __trap();
}

enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorCudartUnloading = 4,
    cudaErrorProfilerDisabled = 5,
    cudaErrorProfilerNotInitialized = 6,
    cudaErrorProfilerAlreadyStarted = 7,
    cudaErrorProfilerAlreadyStopped = 8,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidHostPointer = 16,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidTexture = 18,
    cudaErrorInvalidTextureBinding = 19,
    cudaErrorInvalidChannelDescriptor = 20,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorAddressOfConstant = 22,
    cudaErrorTextureFetchFailed = 23,
    cudaErrorTextureNotBound = 24,
    cudaErrorSynchronizationError = 25,
    cudaErrorInvalidFilterSetting = 26,
    cudaErrorInvalidNormSetting = 27,
    cudaErrorMixedDeviceExecution = 28,
    cudaErrorNotYetImplemented = 31,
    cudaErrorMemoryValueTooLarge = 32,
    cudaErrorStubLibrary = 34,
    cudaErrorInsufficientDriver = 35,
    cudaErrorCallRequiresNewerDriver = 36,
    cudaErrorInvalidSurface = 37,
    cudaErrorDuplicateVariableName = 43,
    cudaErrorDuplicateTextureName = 44,
    cudaErrorDuplicateSurfaceName = 45,
    cudaErrorDevicesUnavailable = 46,
    cudaErrorIncompatibleDriverContext = 49,
    cudaErrorMissingConfiguration = 52,
    cudaErrorPriorLaunchFailure = 53,
    cudaErrorLaunchMaxDepthExceeded = 65,
    cudaErrorLaunchFileScopedTex = 66,
    cudaErrorLaunchFileScopedSurf = 67,
    cudaErrorSyncDepthExceeded = 68,
    cudaErrorLaunchPendingCountExceeded = 69,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorDeviceNotLicensed = 102,
    cudaErrorSoftwareValidityNotEstablished = 103,
    cudaErrorStartupFailure = 127,
    cudaErrorInvalidKernelImage = 200,
    cudaErrorDeviceUninitialized = 201,
    cudaErrorMapBufferObjectFailed = 205,
    cudaErrorUnmapBufferObjectFailed = 206,
    cudaErrorArrayIsMapped = 207,
    cudaErrorAlreadyMapped = 208,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorAlreadyAcquired = 210,
    cudaErrorNotMapped = 211,
    cudaErrorNotMappedAsArray = 212,
    cudaErrorNotMappedAsPointer = 213,
    cudaErrorECCUncorrectable = 214,
    cudaErrorUnsupportedLimit = 215,
    cudaErrorDeviceAlreadyInUse = 216,
    cudaErrorPeerAccessUnsupported = 217,
    cudaErrorInvalidPtx = 218,
    cudaErrorInvalidGraphicsContext = 219,
    cudaErrorNvlinkUncorrectable = 220,
    cudaErrorJitCompilerNotFound = 221,
    cudaErrorUnsupportedPtxVersion = 222,
    cudaErrorJitCompilationDisabled = 223,
    cudaErrorUnsupportedExecAffinity = 224,
    cudaErrorUnsupportedDevSideSync = 225,
    cudaErrorContained = 226,
    cudaErrorInvalidSource = 300,
    cudaErrorFileNotFound = 301,
    cudaErrorSharedObjectSymbolNotFound = 302,
    cudaErrorSharedObjectInitFailed = 303,
    cudaErrorOperatingSystem = 304,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalState = 401,
    cudaErrorLossyQuery = 402,
    cudaErrorSymbolNotFound = 500,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorLaunchIncompatibleTexturing = 703,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorPeerAccessNotEnabled = 705,
    cudaErrorSetOnActiveProcess = 708,
    cudaErrorContextIsDestroyed = 709,
    cudaErrorAssert = 710,
    cudaErrorTooManyPeers = 711,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713,
    cudaErrorHardwareStackError = 714,
    cudaErrorIllegalInstruction = 715,
    cudaErrorMisalignedAddress = 716,
    cudaErrorInvalidAddressSpace = 717,
    cudaErrorInvalidPc = 718,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorTensorMemoryLeak = 721,
    cudaErrorInvalidClusterSize = 912,
    cudaErrorNotPermitted = 800,
    cudaErrorNotSupported = 801,
    cudaErrorSystemNotReady = 802,
    cudaErrorSystemDriverMismatch = 803,
    cudaErrorCompatNotSupportedOnDevice = 804,
    cudaErrorMpsConnectionFailed = 805,
    cudaErrorMpsRpcFailure = 806,
    cudaErrorMpsServerNotReady = 807,
    cudaErrorMpsMaxClientsReached = 808,
    cudaErrorMpsMaxConnectionsReached = 809,
    cudaErrorMpsClientTerminated = 810,
    cudaErrorCdpNotSupported = 811,
    cudaErrorCdpVersionMismatch = 812,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorStreamCaptureMerge = 902,
    cudaErrorStreamCaptureUnmatched = 903,
    cudaErrorStreamCaptureUnjoined = 904,
    cudaErrorStreamCaptureIsolation = 905,
    cudaErrorStreamCaptureImplicit = 906,
    cudaErrorCapturedEvent = 907,
    cudaErrorStreamCaptureWrongThread = 908,
    cudaErrorTimeout = 909,
    cudaErrorGraphExecUpdateFailure = 910,
    cudaErrorExternalDevice = 911,
    cudaErrorFunctionNotLoaded = 913,
    cudaErrorInvalidResourceType = 914,
    cudaErrorInvalidResourceConfiguration = 915,
    cudaErrorUnknown = 999,
    cudaErrorApiFailureBase = 10000,
};
typedef cudaError cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrMaxTexture1DWidth = 21,
    cudaDevAttrMaxTexture2DWidth = 22,
    cudaDevAttrMaxTexture2DHeight = 23,
    cudaDevAttrMaxTexture3DWidth = 24,
    cudaDevAttrMaxTexture3DHeight = 25,
    cudaDevAttrMaxTexture3DDepth = 26,
    cudaDevAttrMaxTexture2DLayeredWidth = 27,
    cudaDevAttrMaxTexture2DLayeredHeight = 28,
    cudaDevAttrMaxTexture2DLayeredLayers = 29,
    cudaDevAttrSurfaceAlignment = 30,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrEccEnabled = 32,
    cudaDevAttrPciBusId = 33,
    cudaDevAttrPciDeviceId = 34,
    cudaDevAttrTccDriver = 35,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrMaxTexture1DLayeredWidth = 42,
    cudaDevAttrMaxTexture1DLayeredLayers = 43,
    cudaDevAttrMaxTexture2DGatherWidth = 45,
    cudaDevAttrMaxTexture2DGatherHeight = 46,
    cudaDevAttrMaxTexture3DWidthAlt = 47,
    cudaDevAttrMaxTexture3DHeightAlt = 48,
    cudaDevAttrMaxTexture3DDepthAlt = 49,
    cudaDevAttrPciDomainId = 50,
    cudaDevAttrTexturePitchAlignment = 51,
    cudaDevAttrMaxTextureCubemapWidth = 52,
    cudaDevAttrMaxTextureCubemapLayeredWidth = 53,
    cudaDevAttrMaxTextureCubemapLayeredLayers = 54,
    cudaDevAttrMaxSurface1DWidth = 55,
    cudaDevAttrMaxSurface2DWidth = 56,
    cudaDevAttrMaxSurface2DHeight = 57,
    cudaDevAttrMaxSurface3DWidth = 58,
    cudaDevAttrMaxSurface3DHeight = 59,
    cudaDevAttrMaxSurface3DDepth = 60,
    cudaDevAttrMaxSurface1DLayeredWidth = 61,
    cudaDevAttrMaxSurface1DLayeredLayers = 62,
    cudaDevAttrMaxSurface2DLayeredWidth = 63,
    cudaDevAttrMaxSurface2DLayeredHeight = 64,
    cudaDevAttrMaxSurface2DLayeredLayers = 65,
    cudaDevAttrMaxSurfaceCubemapWidth = 66,
    cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
    cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68,
    cudaDevAttrMaxTexture1DLinearWidth = 69,
    cudaDevAttrMaxTexture2DLinearWidth = 70,
    cudaDevAttrMaxTexture2DLinearHeight = 71,
    cudaDevAttrMaxTexture2DLinearPitch = 72,
    cudaDevAttrMaxTexture2DMipmappedWidth = 73,
    cudaDevAttrMaxTexture2DMipmappedHeight = 74,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxTexture1DMipmappedWidth = 77,
    cudaDevAttrStreamPrioritiesSupported = 78,
    cudaDevAttrGlobalL1CacheSupported = 79,
    cudaDevAttrLocalL1CacheSupported = 80,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrIsMultiGpuBoard = 84,
    cudaDevAttrMultiGpuBoardGroupID = 85,
    cudaDevAttrHostNativeAtomicSupported = 86,
    cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrComputePreemptionSupported = 90,
    cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrCanFlushRemoteWrites = 98,
    cudaDevAttrHostRegisterSupported = 99,
    cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
    cudaDevAttrDirectManagedMemAccessFromHost = 101,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrMaxPersistingL2CacheSize = 108,
    cudaDevAttrMaxAccessPolicyWindowSize = 109,
    cudaDevAttrReservedSharedMemoryPerBlock = 111,
    cudaDevAttrSparseCudaArraySupported = 112,
    cudaDevAttrHostRegisterReadOnlySupported = 113,
    cudaDevAttrTimelineSemaphoreInteropSupported = 114,
    cudaDevAttrMemoryPoolsSupported = 115,
    cudaDevAttrGPUDirectRDMASupported = 116,
    cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117,
    cudaDevAttrGPUDirectRDMAWritesOrdering = 118,
    cudaDevAttrMemoryPoolSupportedHandleTypes = 119,
    cudaDevAttrClusterLaunch = 120,
    cudaDevAttrDeferredMappingCudaArraySupported = 121,
    cudaDevAttrIpcEventSupport = 125,
    cudaDevAttrMemSyncDomainCount = 126,
    cudaDevAttrNumaConfig = 130,
    cudaDevAttrNumaId = 131,
    cudaDevAttrMpsEnabled = 133,
    cudaDevAttrHostNumaId = 134,
    cudaDevAttrD3D12CigSupported = 135,
    cudaDevAttrVulkanCigSupported = 138,
    cudaDevAttrGpuPciDeviceId = 139,
    cudaDevAttrGpuPciSubsystemId = 140,
    cudaDevAttrHostNumaMemoryPoolsSupported = 142,
    cudaDevAttrHostNumaMultinodeIpcSupported = 143,
    cudaDevAttrHostMemoryPoolsSupported = 144,
    cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147
};

enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4,
    cudaLimitMaxL2FetchGranularity = 5,
    cudaLimitPersistingL2CacheSize = 6
};
enum cudaMemoryType { cudaMemoryTypeUnregistered = 0, cudaMemoryTypeHost = 1, cudaMemoryTypeDevice = 2, cudaMemoryTypeManaged = 3 };
enum cudaMemLocationType { cudaMemLocationTypeInvalid = 0, cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost = 2, cudaMemLocationTypeHostNuma = 3 };
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};
enum cudaFuncCache { cudaFuncCachePreferNone = 0, cudaFuncCachePreferShared = 1, cudaFuncCachePreferL1 = 2, cudaFuncCachePreferEqual = 3 };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault = 0, cudaSharedMemBankSizeFourByte = 1, cudaSharedMemBankSizeEightByte = 2 };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9, cudaFuncAttributeNonPortableClusterSizeAllowed = 14 };
enum cudaSharedCarveout { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1 = 0, cudaSharedmemCarveoutMaxShared = 100 };
enum cudaComputeMode { cudaComputeModeDefault = 0, cudaComputeModeExclusive = 1, cudaComputeModeProhibited = 2, cudaComputeModeExclusiveProcess = 3 };

#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaHostRegisterIoMemory 4
#define cudaHostRegisterReadOnly 8
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaEventInterprocess 4
#define cudaEventRecordDefault 0
#define cudaEventWaitDefault 0
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceBlockingSync cudaDeviceScheduleBlockingSync
#define cudaDeviceMapHost 8
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaOccupancyDefault 0
#define CUDART_VERSION 13000
#define CUDART_CB

struct CUstream_st;
struct CUevent_st;
typedef CUstream_st* cudaStream_t;
typedef CUevent_st* cudaEvent_t;
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

struct cudaPitchedPtr {
    void* ptr;
    size_t pitch, xsize, ysize;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
// The memory of textures: rows of elements, whose bytes, bits and channels these are.
struct cudaArray {
    cudaPitchedPtr rows;
    cudaExtent extent;
    int element, bits, channels, kind;
    unsigned int flags;
};
typedef cudaArray* cudaArray_t;
typedef const cudaArray* cudaArray_const_t;
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void* devicePointer;
    void* hostPointer;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
struct cudaUUID_t {
    char bytes[16];
};

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory;
    int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
    int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
    int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
    int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
    int canUseHostPointerForRegisteredMem, cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported;
    int memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
    int deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
    unsigned int gpuPciDeviceID, gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported;
    // Removed in CUDA 12.
    int clockRate, memoryClockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode, cooperativeMultiDeviceLaunch;
    int singleToDoublePrecisionPerfRatio;
};

inline cudaError_t __cuda_answer(int error) { return (cudaError_t)__host_cuda_answer(error); }

// Errors.
inline cudaError_t cudaGetLastError() { return (cudaError_t)__host_cuda_last_error(1); }
inline cudaError_t cudaPeekAtLastError() { return (cudaError_t)__host_cuda_last_error(0); }
inline const char* cudaGetErrorString(cudaError_t error) { return (const char*)__host_cuda_error_text(error, 1); }
inline const char* cudaGetErrorName(cudaError_t error) { return (const char*)__host_cuda_error_text(error, 0); }

// Memory. In the place of a stream: the default stream, and the host waits.
#define __WAITS ((void*)-1)
template <typename T> inline cudaError_t cudaMalloc(T** pointer, size_t bytes) { return (cudaError_t)__host_cuda_malloc(pointer, bytes, 0, 0); }
template <typename T> inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = 0) { return (cudaError_t)__host_cuda_malloc(pointer, bytes, 1, 0); }
template <typename T> inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) { return flags > 7 ? __cuda_answer(cudaErrorInvalidValue) : (cudaError_t)__host_cuda_malloc(pointer, bytes, 1, 0); }
template <typename T> inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) { return flags != cudaMemAttachGlobal && flags != cudaMemAttachHost ? __cuda_answer(cudaErrorInvalidValue) : (cudaError_t)__host_cuda_malloc(pointer, bytes, 2, 0); }
template <typename T> inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) { return (cudaError_t)__host_cuda_malloc(pointer, bytes, 3, stream); }
template <typename T> inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return (cudaError_t)__host_cuda_malloc(pointer, *pitch * height, 0, 0);
}
inline cudaError_t cudaMalloc3D(cudaPitchedPtr* to, cudaExtent extent) {
    to->pitch = (extent.width + 511) / 512 * 512;
    to->xsize = extent.width;
    to->ysize = extent.height;
    return (cudaError_t)__host_cuda_malloc(&to->ptr, to->pitch * extent.height * extent.depth, 0, 0);
}
inline cudaError_t cudaFree(void* pointer) { return (cudaError_t)__host_cuda_free(pointer, 0, 0); }
inline cudaError_t cudaFreeHost(void* pointer) { return (cudaError_t)__host_cuda_free(pointer, 1, 0); }
inline cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) { return (cudaError_t)__host_cuda_free(pointer, 3, stream); }
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) { return (cudaError_t)__host_cuda_memcpy(to, from, bytes, kind, __WAITS); }
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = 0) { return (cudaError_t)__host_cuda_memcpy(to, from, bytes, kind, stream); }
inline cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) { return to_device || from_device ? __cuda_answer(cudaErrorInvalidDevice) : (cudaError_t)__host_cuda_memcpy(to, from, bytes, cudaMemcpyDeviceToDevice, __WAITS); }
inline cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes, cudaStream_t stream = 0) { return to_device || from_device ? __cuda_answer(cudaErrorInvalidDevice) : (cudaError_t)__host_cuda_memcpy(to, from, bytes, cudaMemcpyDeviceToDevice, stream); }
inline cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
    return (cudaError_t)__host_cuda_memcpy2d(to, to_pitch, from, from_pitch, width, height, kind, __WAITS);
}
inline cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0) {
    return (cudaError_t)__host_cuda_memcpy2d(to, to_pitch, from, from_pitch, width, height, kind, stream);
}
// Of an array, a width and a position count elements, and else bytes.
inline bool __outside(const cudaArray* a, const cudaPos& at, const cudaExtent& e) {
    if (!a) return false;
    const size_t depth = a->extent.depth ? a->extent.depth : 1;
    return at.x + e.width > a->extent.width || at.y + e.height > a->rows.ysize || at.z + e.depth > depth;
}
inline cudaError_t __memcpy3d(const cudaMemcpy3DParms* p, void* stream) {
    const cudaArray *into = p->dstArray, *out_of = p->srcArray;
    const cudaPitchedPtr& a = into ? into->rows : p->dstPtr;
    const cudaPitchedPtr& b = out_of ? out_of->rows : p->srcPtr;
    if (__outside(into, p->dstPos, p->extent) || __outside(out_of, p->srcPos, p->extent)) return __cuda_answer(cudaErrorInvalidValue);
    const size_t bytes = p->extent.width * (into ? into->element : out_of ? out_of->element : 1);
    for (size_t z = 0; z < p->extent.depth; z++) {
        char* to = (char*)a.ptr + ((p->dstPos.z + z) * a.ysize + p->dstPos.y) * a.pitch + p->dstPos.x * (into ? into->element : 1);
        const char* from = (const char*)b.ptr + ((p->srcPos.z + z) * b.ysize + p->srcPos.y) * b.pitch + p->srcPos.x * (out_of ? out_of->element : 1);
        int error = __host_cuda_memcpy2d(to, a.pitch, from, b.pitch, bytes, p->extent.height, p->kind, stream);
        if (error) return (cudaError_t)error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return __memcpy3d(p, __WAITS); }
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream = 0) { return __memcpy3d(p, stream); }
inline cudaError_t cudaMemset(void* to, int value, size_t bytes) { return (cudaError_t)__host_cuda_memset2d(to, bytes, value, bytes, 1, __WAITS, 1); }
inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = 0) { return (cudaError_t)__host_cuda_memset2d(to, bytes, value, bytes, 1, stream, 1); }
inline cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) { return (cudaError_t)__host_cuda_memset2d(to, pitch, value, width, height, __WAITS, 1); }
inline cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream = 0) { return (cudaError_t)__host_cuda_memset2d(to, pitch, value, width, height, stream, 1); }
// Of a symbol, which is the variable itself or, as `const void*`, its address on the host: where the device has it (0), its bytes (1).
inline char* __symbol(const void* symbol) { return (char*)__host_cuda_symbol(symbol, 0); }
inline cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return __cuda_answer(cudaErrorInvalidMemcpyDirection);
    char* to = __symbol(symbol);
    return to ? (cudaError_t)__host_cuda_memcpy(to + offset, from, bytes, kind, __WAITS) : cudaErrorInvalidSymbol;
}
inline cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    char* to = __symbol(symbol);
    return to ? (cudaError_t)__host_cuda_memcpy(to + offset, from, bytes, kind, stream) : cudaErrorInvalidSymbol;
}
inline cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return __cuda_answer(cudaErrorInvalidMemcpyDirection);
    const char* from = __symbol(symbol);
    return from ? (cudaError_t)__host_cuda_memcpy(to, from + offset, bytes, kind, __WAITS) : cudaErrorInvalidSymbol;
}
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    const char* from = __symbol(symbol);
    return from ? (cudaError_t)__host_cuda_memcpy(to, from + offset, bytes, kind, stream) : cudaErrorInvalidSymbol;
}
inline cudaError_t cudaGetSymbolAddress(void** to, const void* symbol) {
    char* at = __symbol(symbol);
    if (at) *to = at;
    return at ? cudaSuccess : cudaErrorInvalidSymbol;
}
inline cudaError_t cudaGetSymbolSize(size_t* to, const void* symbol) {
    size_t bytes = (size_t)__host_cuda_symbol(symbol, 1);
    if (bytes) *to = bytes;
    return bytes ? cudaSuccess : cudaErrorInvalidSymbol;
}
template <typename T> inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbol((const void*)&symbol, from, bytes, offset, kind);
}
template <typename T> inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return cudaMemcpyToSymbolAsync((const void*)&symbol, from, bytes, offset, kind, stream);
}
template <typename T> inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbol(to, (const void*)&symbol, bytes, offset, kind);
}
template <typename T> inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    return cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, bytes, offset, kind, stream);
}
template <typename T> inline cudaError_t cudaGetSymbolAddress(void** to, const T& symbol) { return cudaGetSymbolAddress(to, (const void*)&symbol); }
template <typename T> inline cudaError_t cudaGetSymbolSize(size_t* to, const T& symbol) { return cudaGetSymbolSize(to, (const void*)&symbol); }
inline cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags) { return flags > 15 ? __cuda_answer(cudaErrorInvalidValue) : (cudaError_t)__host_cuda_register(pointer, bytes); }
inline cudaError_t cudaHostUnregister(void* pointer) { return (cudaError_t)__host_cuda_unregister(pointer); }
template <typename T> inline cudaError_t cudaHostGetDevicePointer(T** to, void* pointer, unsigned int flags) {
    *to = (T*)__host_cuda_pointer(pointer, 1);
    return __cuda_answer(*to ? cudaSuccess : cudaErrorInvalidValue);
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* to, const void* pointer) {
    to->type = (cudaMemoryType)(size_t)__host_cuda_pointer(pointer, 0);
    to->device = to->type == cudaMemoryTypeUnregistered ? -2 : 0;
    to->devicePointer = __host_cuda_pointer(pointer, 1);
    to->hostPointer = __host_cuda_pointer(pointer, 2);
    return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    *free = __host_cuda_memory(0);
    *total = __host_cuda_memory(1);
    return cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream = 0) { return __cuda_answer((size_t)__host_cuda_pointer(pointer, 0) == cudaMemoryTypeManaged ? cudaSuccess : cudaErrorInvalidValue); }
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location, unsigned int flags, cudaStream_t stream = 0) { return cudaMemPrefetchAsync(pointer, bytes, 0, stream); }
inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) { return __cuda_answer((size_t)__host_cuda_pointer(pointer, 0) == cudaMemoryTypeManaged ? cudaSuccess : cudaErrorInvalidValue); }
inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) { return cudaMemAdvise(pointer, bytes, advice, 0); }
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
    cudaPitchedPtr p = {pointer, pitch, width, height};
    return p;
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    cudaExtent e = {width, height, depth};
    return e;
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    cudaPos p = {x, y, z};
    return p;
}

// Device management: there is one device.
inline cudaError_t __cuda_device(int device) { return __cuda_answer(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
inline cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) { return __cuda_device(device); }
inline cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) { return __cuda_device(device); }
inline cudaError_t cudaSetDeviceFlags(unsigned int flags) { return cudaSuccess; }
inline cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceReset() { return (cudaError_t)__host_cuda_reset(); }
inline cudaError_t cudaDeviceSynchronize() { return (cudaError_t)__host_cuda_synchronise(); }
inline cudaError_t cudaThreadSynchronize() { return (cudaError_t)__host_cuda_synchronise(); }
inline cudaError_t cudaThreadExit() { return (cudaError_t)__host_cuda_reset(); }
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    if (device != 0) return __cuda_answer(cudaErrorInvalidDevice);
    const int known = __host_cuda_attribute(attribute);
    if (known != -1) *value = known;
    return __cuda_answer(known != -1 ? cudaSuccess : cudaErrorInvalidValue);
}
inline void __cuda_attributes(int* to, int count, int first) {
    for (int i = 0; i < count; i++) to[i] = __host_cuda_attribute(first + i);
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    if (device != 0) return __cuda_answer(cudaErrorInvalidDevice);
    __host_memset(p, 0, sizeof(cudaDeviceProp));
    const char* name = "NVIDIA H200";
    for (int i = 0; name[i]; i++) p->name[i] = name[i];
    p->totalGlobalMem = __host_cuda_memory(1);
    p->sharedMemPerBlock = __host_cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlock);
    p->regsPerBlock = __host_cuda_attribute(cudaDevAttrMaxRegistersPerBlock);
    p->warpSize = __host_cuda_attribute(cudaDevAttrWarpSize);
    p->memPitch = __host_cuda_attribute(cudaDevAttrMaxPitch);
    p->maxThreadsPerBlock = __host_cuda_attribute(cudaDevAttrMaxThreadsPerBlock);
    __cuda_attributes(p->maxThreadsDim, 3, cudaDevAttrMaxBlockDimX);
    __cuda_attributes(p->maxGridSize, 3, cudaDevAttrMaxGridDimX);
    __cuda_attributes(&p->maxTexture1D, 1, cudaDevAttrMaxTexture1DWidth);
    __cuda_attributes(&p->maxTexture1DMipmap, 1, cudaDevAttrMaxTexture1DMipmappedWidth);
    __cuda_attributes(p->maxTexture2D, 2, cudaDevAttrMaxTexture2DWidth);
    __cuda_attributes(p->maxTexture2DMipmap, 2, cudaDevAttrMaxTexture2DMipmappedWidth);
    __cuda_attributes(p->maxTexture2DLinear, 3, cudaDevAttrMaxTexture2DLinearWidth);
    __cuda_attributes(p->maxTexture2DGather, 2, cudaDevAttrMaxTexture2DGatherWidth);
    __cuda_attributes(p->maxTexture3D, 3, cudaDevAttrMaxTexture3DWidth);
    __cuda_attributes(p->maxTexture3DAlt, 3, cudaDevAttrMaxTexture3DWidthAlt);
    __cuda_attributes(&p->maxTextureCubemap, 1, cudaDevAttrMaxTextureCubemapWidth);
    __cuda_attributes(p->maxTexture1DLayered, 2, cudaDevAttrMaxTexture1DLayeredWidth);
    __cuda_attributes(p->maxTexture2DLayered, 3, cudaDevAttrMaxTexture2DLayeredWidth);
    __cuda_attributes(p->maxTextureCubemapLayered, 2, cudaDevAttrMaxTextureCubemapLayeredWidth);
    __cuda_attributes(&p->maxSurface1D, 1, cudaDevAttrMaxSurface1DWidth);
    __cuda_attributes(p->maxSurface2D, 2, cudaDevAttrMaxSurface2DWidth);
    __cuda_attributes(p->maxSurface3D, 3, cudaDevAttrMaxSurface3DWidth);
    __cuda_attributes(p->maxSurface1DLayered, 2, cudaDevAttrMaxSurface1DLayeredWidth);
    __cuda_attributes(p->maxSurface2DLayered, 3, cudaDevAttrMaxSurface2DLayeredWidth);
    __cuda_attributes(&p->maxSurfaceCubemap, 1, cudaDevAttrMaxSurfaceCubemapWidth);
    __cuda_attributes(p->maxSurfaceCubemapLayered, 2, cudaDevAttrMaxSurfaceCubemapLayeredWidth);
    __cuda_attributes(&p->persistingL2CacheMaxSize, 1, cudaDevAttrMaxPersistingL2CacheSize);
    __cuda_attributes(&p->accessPolicyMaxWindowSize, 1, cudaDevAttrMaxAccessPolicyWindowSize);
    p->hostRegisterReadOnlySupported = 1;
    p->totalConstMem = __host_cuda_attribute(cudaDevAttrTotalConstantMemory);
    p->major = __host_cuda_attribute(cudaDevAttrComputeCapabilityMajor);
    p->minor = __host_cuda_attribute(cudaDevAttrComputeCapabilityMinor);
    p->textureAlignment = __host_cuda_attribute(cudaDevAttrTextureAlignment);
    p->texturePitchAlignment = __host_cuda_attribute(cudaDevAttrTexturePitchAlignment);
    p->multiProcessorCount = __host_cuda_attribute(cudaDevAttrMultiProcessorCount);
    p->canMapHostMemory = 1;
    p->surfaceAlignment = __host_cuda_attribute(cudaDevAttrSurfaceAlignment);
    p->concurrentKernels = 1;
    p->ECCEnabled = 1;
    p->asyncEngineCount = __host_cuda_attribute(cudaDevAttrAsyncEngineCount);
    p->unifiedAddressing = 1;
    p->memoryBusWidth = __host_cuda_attribute(cudaDevAttrGlobalMemoryBusWidth);
    p->l2CacheSize = __host_cuda_attribute(cudaDevAttrL2CacheSize);
    p->maxThreadsPerMultiProcessor = __host_cuda_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = 1;
    p->localL1CacheSupported = 1;
    p->sharedMemPerMultiprocessor = __host_cuda_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p->regsPerMultiprocessor = __host_cuda_attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
    p->managedMemory = 1;
    p->concurrentManagedAccess = 1;
    p->computePreemptionSupported = 1;
    p->canUseHostPointerForRegisteredMem = 1;
    p->cooperativeLaunch = 1;
    p->sharedMemPerBlockOptin = __host_cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    p->maxBlocksPerMultiProcessor = __host_cuda_attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->reservedSharedMemPerBlock = __host_cuda_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    p->hostRegisterSupported = 1;
    p->memoryPoolsSupported = 1;
    p->clusterLaunch = 1;
    p->unifiedFunctionPointers = 1;
    p->clockRate = __host_cuda_attribute(cudaDevAttrClockRate);
    p->memoryClockRate = __host_cuda_attribute(cudaDevAttrMemoryClockRate);
    p->deviceOverlap = 1;
    p->singleToDoublePrecisionPerfRatio = 2;
    return cudaSuccess;
}
inline cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    *can = 0;
    return __cuda_answer(device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) { return __cuda_answer(cudaErrorInvalidDevice); }
enum cudaDeviceP2PAttr { cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported = 2, cudaDevP2PAttrNativeAtomicSupported = 3, cudaDevP2PAttrCudaArrayAccessSupported = 4 };
inline cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr which, int from, int to) { return __cuda_answer(cudaErrorInvalidDevice); }
inline cudaError_t cudaDeviceDisablePeerAccess(int peer) { return __cuda_answer(cudaErrorInvalidDevice); }
// Kernels cannot wait for their child grids from compute capability 9.0 on.
inline bool __cuda_limit(cudaLimit limit) { return limit <= 6 && (limit != cudaLimitDevRuntimeSyncDepth || __host_cuda_attribute(cudaDevAttrComputeCapabilityMajor) < 9); }
static size_t __cuda_limits[7] = {1024, 7340032, 8388608, 2, 2048, 64, 0};
inline cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    if (!__cuda_limit(limit)) return __cuda_answer(cudaErrorUnsupportedLimit);
    if (limit == cudaLimitMallocHeapSize && __host_cuda_heap(value) != 0) return __cuda_answer(cudaErrorInvalidValue);
    __cuda_limits[limit] = value;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    if (!__cuda_limit(limit)) return __cuda_answer(cudaErrorUnsupportedLimit);
    *value = __cuda_limits[limit];
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

// Streams and events: all work is executed in the order of its submission.
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    if (!stream || flags > cudaStreamNonBlocking) return __cuda_answer(cudaErrorInvalidValue);
    *stream = (cudaStream_t)__host_cuda_create(0, flags);
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    if (!stream || flags > cudaStreamNonBlocking) return __cuda_answer(cudaErrorInvalidValue);
    // Behind the flags: how far it is above the least one.
    const int above = priority >= 0 ? 0 : priority <= -5 ? 5 : -priority;
    *stream = (cudaStream_t)__host_cuda_create(0, flags | above << 8);
    return cudaSuccess;
}
// Streams of device code that launches kernels: the grids run one after another.
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)
__device__ inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) {
    *stream = 0;
    return cudaSuccess;
}
__device__ inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
__device__ inline cudaError_t cudaGetLastError() { return cudaSuccess; }
__device__ inline const char* cudaGetErrorString(cudaError_t error) { return error == cudaSuccess ? "no error" : error == cudaErrorMemoryAllocation ? "out of memory" : "unrecognized error code"; }
__device__ inline const char* cudaGetErrorName(cudaError_t error) { return error == cudaSuccess ? "cudaSuccess" : error == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "unrecognized error code"; }
__device__ inline cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
__device__ inline cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
template <typename T> __device__ inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {
    *pointer = (T*)malloc(bytes);
    return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}
__device__ inline cudaError_t cudaFree(void* pointer) { free(pointer); return cudaSuccess; }
__device__ inline cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) { return (cudaError_t)__host_cuda_destroy(0, stream); }
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return (cudaError_t)__host_cuda_stream_wait(stream); }
inline cudaError_t cudaStreamQuery(cudaStream_t stream) { return (cudaError_t)__host_cuda_stream_wait(stream); }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    // An event for other processes takes no times.
    if (!event || flags > 7 || (flags & 6) == cudaEventInterprocess) return __cuda_answer(cudaErrorInvalidValue);
    *event = (cudaEvent_t)__host_cuda_create(1, flags);
    return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) { return cudaEventCreateWithFlags(event, flags); }
inline cudaError_t cudaEventDestroy(cudaEvent_t event) { return (cudaError_t)__host_cuda_destroy(1, event); }
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0) { return (cudaError_t)__host_cuda_event_record(event, stream); }
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) { return (cudaError_t)__host_cuda_event_wait(event); }
inline cudaError_t cudaEventQuery(cudaEvent_t event) { return (cudaError_t)__host_cuda_event_wait(event); }
inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) { return (cudaError_t)__host_cuda_elapsed(ms, start, end); }
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0, unsigned int flags = 0) { return flags > 1 ? __cuda_answer(cudaErrorInvalidValue) : cudaEventRecord(event, stream); }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0) { return flags > 1 ? __cuda_answer(cudaErrorInvalidValue) : (cudaError_t)__host_cuda_wait_event(stream, event); }

// All earlier work of the stream is complete, so the host function runs at once.
typedef void (*cudaHostFn_t)(void* data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
inline void __call_in_stream(cudaStream_t stream, cudaHostFn_t function, void* data) {
    __host_cuda_callback(stream, 1);
    function(data);
    __host_cuda_callback(stream, 0);
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (!function) return __cuda_answer(cudaErrorInvalidValue);
    if (!__host_graph_host((void*)function, data, stream)) __call_in_stream(stream, function, data);
    return cudaSuccess;
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned int flags) {
    if (!function || flags != 0) return __cuda_answer(cudaErrorInvalidValue);
    __host_cuda_callback(stream, 1);
    function(stream, cudaSuccess, data);
    __host_cuda_callback(stream, 0);
    return cudaSuccess;
}
template <typename T> inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t bytes = 0, unsigned int flags = cudaMemAttachSingle) { return __cuda_answer((size_t)__host_cuda_pointer(pointer, 0) == cudaMemoryTypeManaged ? cudaSuccess : cudaErrorInvalidValue); }

// Functions that take the address of a kernel.
template <typename F> inline cudaError_t cudaLaunchKernel(F* kernel, dim3 grid, dim3 block, void** args, size_t shared = 0, cudaStream_t stream = 0) {
    return (cudaError_t)__host_cuda_launch((void*)kernel, &grid, &block, args, shared, stream, 0);
}
template <typename F> inline cudaError_t cudaLaunchCooperativeKernel(F* kernel, dim3 grid, dim3 block, void** args, size_t shared = 0, cudaStream_t stream = 0) {
    return (cudaError_t)__host_cuda_launch((void*)kernel, &grid, &block, args, shared, stream, 1);
}

// Graphs: a list of nodes, executed in order.
struct CUgraph_st;
struct CUgraphExec_st;
struct CUgraphNode_st;
typedef CUgraph_st* cudaGraph_t;
typedef CUgraphExec_st* cudaGraphExec_t;
typedef CUgraphNode_st* cudaGraphNode_t;
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal = 0, cudaStreamCaptureModeThreadLocal = 1, cudaStreamCaptureModeRelaxed = 2 };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone = 0, cudaStreamCaptureStatusActive = 1, cudaStreamCaptureStatusInvalidated = 2 };
struct cudaKernelNodeParams {
    void* func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
};
struct cudaMemsetParams {
    void* dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void* userData;
};
inline cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
    *graph = (cudaGraph_t)__host_graph_new(0, 0, 0);
    return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return (cudaError_t)__host_graph_destroy(graph); }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return (cudaError_t)__host_graph_destroy(graph); }
inline cudaError_t cudaGraphClone(cudaGraph_t* to, cudaGraph_t from) {
    *to = (cudaGraph_t)__host_graph_new(from, 0, 0);
    return cudaSuccess;
}
inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    if (!stream) return __cuda_answer(cudaErrorStreamCaptureUnsupported);
    return (cudaError_t)__host_graph_capture(__host_graph_new(0, 0, 0), mode != cudaStreamCaptureModeRelaxed);
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    *graph = (cudaGraph_t)__host_graph_ask(0, -3);
    const cudaError_t error = (cudaError_t)__host_graph_capture(0, 0);
    if (error != cudaSuccess) *graph = 0;
    return error;
}
inline cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    *status = (cudaStreamCaptureStatus)(int)(size_t)__host_graph_ask(0, -2);
    return cudaSuccess;
}
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1, cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4, cudaGraphInstantiateFlagUseNodePriority = 8
};
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags = 0) {
    *exec = (cudaGraphExec_t)__host_graph_new(graph, 0, (long long)(flags & cudaGraphInstantiateFlagAutoFreeOnLaunch));
    return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* failed, char* log, size_t room) { return cudaGraphInstantiate(exec, graph); }
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags = 0) { return cudaGraphInstantiate(exec, graph, flags); }
inline cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) { return cudaSuccess; }
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    long long at = 0;
    while ((at = __host_graph_run(exec, at, stream)) >= 0) {
        const cudaHostFn_t function = (cudaHostFn_t)__host_graph_ask(exec, 2 * at);
        __call_in_stream(stream, function, __host_graph_ask(exec, 2 * at + 1));
        at++;
    }
    return (cudaError_t)(-1 - at);
}
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    const size_t all = (size_t)__host_graph_ask(graph, -1);
    if (nodes) for (size_t i = 0; i < all && i < *count; i++) nodes[i] = (cudaGraphNode_t)(i + 1);
    *count = all;
    return cudaSuccess;
}
// The work submitted between the two calls becomes the next node.
inline void __graph_begin(cudaGraph_t graph, const cudaGraphNode_t* after, size_t count) {
    __host_graph_capture(graph, 0);
    __host_graph_after((void*)after, count);
}
inline cudaError_t __graph_node(cudaGraphNode_t* node, cudaGraph_t graph, cudaError_t error) {
    __host_graph_capture(0, 0);
    if (node) *node = (cudaGraphNode_t)__host_graph_ask(graph, -1);
    return error;
}
inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, const cudaKernelNodeParams* p) {
    __graph_begin(graph, after, count);
    return __graph_node(node, graph, (cudaError_t)__host_cuda_launch(p->func, (void*)&p->gridDim, (void*)&p->blockDim, p->kernelParams, p->sharedMemBytes, 0, 0));
}
inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    __graph_begin(graph, after, count);
    return __graph_node(node, graph, cudaMemcpyAsync(to, from, bytes, kind));
}
inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, const cudaMemcpy3DParms* p) {
    if (p->extent.depth > 1) __host_refuse("a memcpy node of more than one layer");
    __graph_begin(graph, after, count);
    return __graph_node(node, graph, __memcpy3d(p, 0));
}
inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, const cudaMemsetParams* p) {
    const unsigned int byte = p->value & 255;
    if (p->elementSize != 1 && p->value != byte * (p->elementSize == 2 ? 0x101u : 0x1010101u)) __host_refuse("a memset node whose bytes differ");
    __graph_begin(graph, after, count);
    return __graph_node(node, graph, cudaMemset2DAsync(p->dst, p->pitch ? p->pitch : p->width * p->elementSize, (int)byte, p->width * p->elementSize, p->height));
}
inline cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, cudaGraph_t child) {
    __graph_begin(graph, after, count);
    return __graph_node(node, graph, __cuda_answer(__host_graph_new(child, graph, -1) ? cudaSuccess : cudaErrorInvalidValue));
}
inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, const cudaHostNodeParams* p) {
    __graph_begin(graph, after, count);
    return __graph_node(node, graph, cudaLaunchHostFunc(0, p->fn, p->userData));
}
inline cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count) {
    cudaGraph_t none;
    cudaGraphCreate(&none, 0);
    cudaError_t error = cudaGraphAddChildGraphNode(node, graph, after, count, none);
    cudaGraphDestroy(none);
    return error;
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const int error = __host_graph_link(graph, (void*)from[i], (void*)to[i]);
        if (error == 2) __host_refuse("a node of a graph that depends on one added later");
        if (error) return __cuda_answer(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, const void* edges, size_t count) { return cudaGraphAddDependencies(graph, from, to, count); }
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0, cudaGraphExecUpdateError = 1, cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3, cudaGraphExecUpdateErrorFunctionChanged = 4,
    cudaGraphExecUpdateErrorParametersChanged = 5, cudaGraphExecUpdateErrorNotSupported = 6
};
struct cudaGraphExecUpdateResultInfo {
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
};
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* node, cudaGraphExecUpdateResult* result) {
    const bool fits = __host_graph_new(graph, exec, 0);
    if (node) *node = 0;
    const bool same = __host_graph_ask(exec, -1) == __host_graph_ask(graph, -1);
    *result = fits ? cudaGraphExecUpdateSuccess : same ? cudaGraphExecUpdateErrorNodeTypeChanged : cudaGraphExecUpdateErrorTopologyChanged;
    return __cuda_answer(fits ? cudaSuccess : cudaErrorGraphExecUpdateFailure);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
    return cudaGraphExecUpdate(exec, graph, &info->errorNode, &info->result);
}
// Updates a node of an executable graph: the new node is made in a temporary graph and replaces it.
inline cudaError_t __graph_replace(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t made, cudaError_t error) {
    if (!error && !__host_graph_new(made, exec, (long long)node)) error = __cuda_answer(cudaErrorInvalidValue);
    cudaGraphDestroy(made);
    return error;
}
inline cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaKernelNodeParams* p) {
    cudaGraph_t made = (cudaGraph_t)__host_graph_new(0, 0, 0);
    return __graph_replace(exec, node, made, cudaGraphAddKernelNode(nullptr, made, nullptr, 0, p));
}
inline cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    cudaGraph_t made = (cudaGraph_t)__host_graph_new(0, 0, 0);
    return __graph_replace(exec, node, made, cudaGraphAddMemcpyNode1D(nullptr, made, nullptr, 0, to, from, bytes, kind));
}
template <typename F> inline cudaError_t cudaFuncSetAttribute(F* kernel, cudaFuncAttribute attribute, int value) { return (cudaError_t)__host_cuda_function_set((void*)kernel, attribute, value); }
template <typename F> inline cudaError_t cudaFuncSetCacheConfig(F* kernel, cudaFuncCache config) { return cudaSuccess; }
template <typename F> inline cudaError_t cudaFuncSetSharedMemConfig(F* kernel, cudaSharedMemConfig config) { return cudaSuccess; }
template <typename F> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* to, F* kernel) {
    int shared = __host_cuda_function((void*)kernel, 0);
    if (shared < 0) return __cuda_answer(cudaErrorInvalidDeviceFunction);
    __host_memset(to, 0, sizeof(cudaFuncAttributes));
    to->sharedSizeBytes = shared;
    to->localSizeBytes = __host_cuda_function((void*)kernel, 1);
    to->maxThreadsPerBlock = __host_cuda_function((void*)kernel, 2);
    to->numRegs = __host_cuda_function((void*)kernel, 3);
    to->maxDynamicSharedSizeBytes = __host_cuda_function((void*)kernel, 4);
    to->preferredShmemCarveout = -1;
    to->ptxVersion = to->binaryVersion = 90;
    return cudaSuccess;
}
template <typename F> inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F kernel, int threads, size_t shared) {
    *blocks = __host_cuda_occupancy((void*)kernel, threads, shared);
    return __cuda_answer(*blocks >= 0 ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
template <typename F> inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F kernel, int threads, size_t shared, unsigned int flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared);
}
template <typename S, typename F> inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F kernel, S shared, int limit = 0) {
    int most = __host_cuda_function((void*)kernel, 2), best = 0;
    if (most < 0) return __cuda_answer(cudaErrorInvalidDeviceFunction);
    if (limit > 0 && limit < most) most = limit;
    *grid = *block = 0;
    for (int threads = (most + 31) / 32 * 32; threads > 0; threads -= 32) {
        int size = threads < most ? threads : most;
        int blocks = __host_cuda_occupancy((void*)kernel, size, shared(size));
        if (blocks * size > best) {
            best = blocks * size;
            *block = size;
            *grid = blocks * __host_cuda_attribute(cudaDevAttrMultiProcessorCount);
        }
    }
    return cudaSuccess;
}
struct __cuda_same_size {
    size_t bytes;
    size_t operator()(int threads) const { return bytes; }
};
template <typename F> inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F kernel, size_t shared = 0, int limit = 0) {
    __cuda_same_size same = {shared};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, same, limit);
}

// Persisting accesses in the L2 cache change no result.
enum cudaAccessProperty { cudaAccessPropertyNormal = 0, cudaAccessPropertyStreaming = 1, cudaAccessPropertyPersisting = 2 };
struct cudaAccessPolicyWindow {
    void* base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
enum cudaStreamAttrID { cudaStreamAttributeAccessPolicyWindow = 1, cudaStreamAttributePriority = 8 };
union cudaStreamAttrValue {
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    int priority;
};
inline cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID which, const cudaStreamAttrValue* value) { return cudaSuccess; }
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

// Memory pools: all take from the device's memory, and what is freed is free at once.
struct CUmemPoolHandle_st {
    bool __live;
    int __reuse[3];
    unsigned long long __threshold;
};
typedef CUmemPoolHandle_st* cudaMemPool_t;
inline CUmemPoolHandle_st __default_pool = {true, {1, 1, 1}, 0};
inline cudaMemPool_t __current_pool = &__default_pool;
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid = 0, cudaMemAllocationTypePinned = 1, cudaMemAllocationTypeMax = 0x7FFFFFFF };
enum cudaMemAllocationHandleType { cudaMemHandleTypeNone = 0, cudaMemHandleTypePosixFileDescriptor = 1, cudaMemHandleTypeWin32 = 2, cudaMemHandleTypeWin32Kmt = 4, cudaMemHandleTypeFabric = 8 };
enum cudaMemAccessFlags { cudaMemAccessFlagsProtNone = 0, cudaMemAccessFlagsProtRead = 1, cudaMemAccessFlagsProtReadWrite = 3 };
struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
};
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void* win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3,
    cudaMemPoolAttrReleaseThreshold = 4,
    cudaMemPoolAttrReservedMemCurrent = 5,
    cudaMemPoolAttrReservedMemHigh = 6,
    cudaMemPoolAttrUsedMemCurrent = 7,
    cudaMemPoolAttrUsedMemHigh = 8
};
inline cudaError_t __cuda_pool(cudaMemPool_t pool) { return __cuda_answer(pool && pool->__live ? cudaSuccess : cudaErrorInvalidValue); }
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    *pool = &__default_pool;
    return __cuda_answer(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    *pool = __current_pool;
    return __cuda_answer(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
inline cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    if (device != 0) return __cuda_answer(cudaErrorInvalidDevice);
    cudaError_t error = __cuda_pool(pool);
    if (error == cudaSuccess) __current_pool = pool;
    return error;
}
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* props) {
    if (!props || props->allocType != cudaMemAllocationTypePinned) return __cuda_answer(cudaErrorInvalidValue);
    if (props->location.type != cudaMemLocationTypeDevice || props->location.id != 0) return __cuda_answer(cudaErrorInvalidDevice);
    *pool = (cudaMemPool_t)__host_malloc(sizeof(CUmemPoolHandle_st));
    **pool = {true, {1, 1, 1}, 0};
    return __cuda_answer(cudaSuccess);
}
// The handle is kept, so that a use after it is an error, as CUDA has it.
inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    if (pool == &__default_pool) return __cuda_answer(cudaErrorInvalidValue);
    cudaError_t error = __cuda_pool(pool);
    if (error != cudaSuccess) return error;
    pool->__live = false;
    if (__current_pool == pool) __current_pool = &__default_pool;
    return error;
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
    cudaError_t error = __cuda_pool(pool);
    if (error != cudaSuccess) return error;
    if (which <= cudaMemPoolReuseAllowInternalDependencies) pool->__reuse[which - 1] = *(int*)value;
    else if (which == cudaMemPoolAttrReleaseThreshold) pool->__threshold = *(unsigned long long*)value;
    else if (*(unsigned long long*)value) return __cuda_answer(cudaErrorInvalidValue);
    return error;
}
inline cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
    cudaError_t error = __cuda_pool(pool);
    if (error != cudaSuccess) return error;
    if (which <= cudaMemPoolReuseAllowInternalDependencies) *(int*)value = pool->__reuse[which - 1];
    else if (which == cudaMemPoolAttrReleaseThreshold) *(unsigned long long*)value = pool->__threshold;
    else __host_refuse("the bytes that a memory pool uses (`cudaMemPoolGetAttribute`)");
    return error;
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept) { return __cuda_pool(pool); }
inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count) { return __cuda_pool(pool); }
inline cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
    *flags = cudaMemAccessFlagsProtReadWrite;
    return __cuda_pool(pool);
}
template <typename T> inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return __cuda_pool(pool) == cudaSuccess ? cudaMallocAsync(pointer, bytes, stream) : cudaErrorInvalidValue;
}
template <typename T> inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    return __cuda_pool(pool) == cudaSuccess ? cudaMallocAsync(pointer, bytes, stream) : cudaErrorInvalidValue;
}

// A launch with the attributes that the simulator supports.
enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributePriority = 8
};
enum cudaClusterSchedulingPolicy { cudaClusterSchedulingPolicyDefault = 0, cudaClusterSchedulingPolicySpread = 1, cudaClusterSchedulingPolicyLoadBalancing = 2 };
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
    struct {
        unsigned int x, y, z;
    } clusterDim;
    cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    int priority;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned int numAttrs;
};
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** args) {
    unsigned int together = 0;
    for (unsigned int i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttributeValue& v = config->attrs[i].val;
        if (config->attrs[i].id == cudaLaunchAttributeCooperative) together |= v.cooperative != 0;
        if (config->attrs[i].id != cudaLaunchAttributeClusterDimension) continue;
        if (v.clusterDim.x - 1 >= 255 || v.clusterDim.y - 1 >= 255 || v.clusterDim.z - 1 >= 255) return __cuda_answer(cudaErrorInvalidClusterSize);
        together |= v.clusterDim.x << 8 | v.clusterDim.y << 16 | v.clusterDim.z << 24;
    }
    dim3 grid = config->gridDim, block = config->blockDim;
    return (cudaError_t)__host_cuda_launch((void*)kernel, &grid, &block, args, config->dynamicSmemBytes, config->stream, together);
}
// The blocks of a cluster as a launch asks for it; 1 without one.
inline unsigned int __cuda_cluster(const cudaLaunchConfig_t* config) {
    for (unsigned int i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttributeValue& v = config->attrs[i].val;
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) return v.clusterDim.x * v.clusterDim.y * v.clusterDim.z;
    }
    return 1;
}
// How many clusters the device holds. Its parts, as an H100 has them: five of 16 multiprocessors and two of 18, one of 8 for
// clusters of up to eight blocks, and four pairs.
template <typename F> inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, F* kernel, const cudaLaunchConfig_t* config) {
    int blocks = __cuda_cluster(config);
    int each = __host_cuda_occupancy((void*)kernel, config->blockDim.x * config->blockDim.y * config->blockDim.z, config->dynamicSmemBytes);
    if (each < 0) return __cuda_answer(cudaErrorInvalidDeviceFunction);
    if (blocks <= 0) return __cuda_answer(cudaErrorInvalidClusterSize);
    if (each > 8) each = 8;
    *clusters = 2 * (18 * each / blocks);
    if (blocks <= 16) *clusters += 5 * (16 * each / blocks);
    if (blocks <= 8) *clusters += 8 * each / blocks;
    if (blocks <= 2) *clusters += 4 * (2 * each / blocks);
    return cudaSuccess;
}
template <typename F> inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, F* kernel, const cudaLaunchConfig_t* config) {
    *size = __host_cuda_function((void*)kernel, 5);
    return __cuda_answer(*size > 0 ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}
template <typename... P> inline cudaError_t __cuda_launch_converted(const cudaLaunchConfig_t* config, const void* kernel, P... values) {
    void* args[] = {(void*)&values..., nullptr};
    return cudaLaunchKernelExC(config, kernel, args);
}
template <typename... P, typename... A> inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...), A... args) {
    return __cuda_launch_converted(config, (const void*)kernel, (P)args...);
}

// GCC's atomic built-ins: the host has one thread.
#define __SYNC(name, op)                                                                 \
    template <typename T, typename U> inline T __sync_fetch_and_##name(T* at, U value) { \
        T old = *at;                                                                     \
        *at = (T)(op);                                                                   \
        return old;                                                                      \
    }                                                                                    \
    template <typename T, typename U> inline T __sync_##name##_and_fetch(T* at, U value) { \
        T old = *at;                                                                     \
        return *at = (T)(op);                                                            \
    }                                                                                    \
    template <typename T, typename U> inline T __atomic_fetch_##name(T* at, U value, int) { return __sync_fetch_and_##name(at, value); } \
    template <typename T, typename U> inline T __atomic_##name##_fetch(T* at, U value, int) { return __sync_##name##_and_fetch(at, value); }
__SYNC(add, old + value)
__SYNC(sub, old - value)
__SYNC(or, old | value)
__SYNC(and, old & value)
__SYNC(xor, old ^ value)
__SYNC(nand, ~(old & value))
#undef __SYNC
template <typename T, typename U, typename V> inline T __sync_val_compare_and_swap(T* at, U expected, V desired) {
    T old = *at;
    if (old == (T)expected) *at = (T)desired;
    return old;
}
template <typename T, typename U, typename V> inline bool __sync_bool_compare_and_swap(T* at, U expected, V desired) {
    T old = *at;
    if (old == (T)expected) *at = (T)desired;
    return old == (T)expected;
}
template <typename T, typename U> inline T __sync_lock_test_and_set(T* at, U value) {
    T old = *at;
    *at = (T)value;
    return old;
}
template <typename T> inline void __sync_lock_release(T* at) { *at = 0; }
inline void __sync_synchronize() {}
#define __ATOMIC_RELAXED 0
#define __ATOMIC_CONSUME 1
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __ATOMIC_SEQ_CST 5
template <typename T> inline T __atomic_load_n(const T* at, int) { return *at; }
template <typename T, typename U> inline void __atomic_store_n(T* at, U value, int) { *at = (T)value; }
template <typename T, typename U> inline T __atomic_exchange_n(T* at, U value, int) { return __sync_lock_test_and_set(at, value); }
template <typename T, typename U> inline bool __atomic_compare_exchange_n(T* at, T* expected, U desired, bool, int, int) {
    T old = *at;
    bool same = old == *expected;
    if (same) *at = (T)desired;
    else *expected = old;
    return same;
}
inline void __atomic_thread_fence(int) {}

// Memory of a variable-length array, and its elements.
template <typename T> struct __host_element { typedef T type; };
template <typename T, size_t N> struct __host_element<T[N]> { typedef typename __host_element<T>::type type; };
template <typename T> struct __host_room {
    typedef typename __host_element<T>::type element;
    void* at;
    size_t bytes;
    __host_room(size_t n, bool valued) : at(__host_malloc(n)), bytes(n) {
        if constexpr (__is_trivial(element)) {
            if (valued) __host_memset(at, 0, n);
        } else {
            for (size_t i = 0; i < n / sizeof(element); ++i) new ((element*)at + i) element();
        }
    }
    ~__host_room() {
        if constexpr (!__is_trivial(element)) {
            for (size_t i = bytes / sizeof(element); i-- > 0;) ((element*)at)[i].~element();
        }
        __host_free(at);
    }
};
// One variadic argument, as eight bytes.
inline unsigned long long __va_slot(int v) { return (unsigned long long)v; }
inline unsigned long long __va_slot(unsigned int v) { return v; }
inline unsigned long long __va_slot(long v) { return (unsigned long long)v; }
inline unsigned long long __va_slot(unsigned long v) { return v; }
inline unsigned long long __va_slot(long long v) { return (unsigned long long)v; }
inline unsigned long long __va_slot(unsigned long long v) { return v; }
inline unsigned long long __va_slot(double v) { return *(unsigned long long*)&v; }
inline unsigned long long __va_slot(const void* v) { return (unsigned long long)v; }
