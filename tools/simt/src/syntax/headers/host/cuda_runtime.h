// The CUDA runtime, as nvcc includes it in front of every file.
enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorCudartUnloading = 4,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorMissingConfiguration = 52,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidKernelImage = 200,
    cudaErrorECCUncorrectable = 214,
    cudaErrorUnsupportedLimit = 215,
    cudaErrorPeerAccessUnsupported = 217,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorSymbolNotFound = 500,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorPeerAccessNotEnabled = 705,
    cudaErrorAssert = 710,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713,
    cudaErrorIllegalInstruction = 715,
    cudaErrorMisalignedAddress = 716,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotPermitted = 800,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

template <typename T> inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {
    return (cudaError_t)__host_cuda_malloc(pointer, bytes);
}
inline cudaError_t cudaFree(void* pointer) { return (cudaError_t)__host_cuda_free(pointer); }
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return (cudaError_t)__host_cuda_memcpy(to, from, bytes, kind);
}
inline cudaError_t cudaDeviceSynchronize() { return (cudaError_t)__host_cuda_synchronise(); }
inline cudaError_t cudaGetLastError() { return (cudaError_t)__host_cuda_last_error(1); }
inline cudaError_t cudaPeekAtLastError() { return (cudaError_t)__host_cuda_last_error(0); }
inline const char* cudaGetErrorString(cudaError_t error) {
    return (const char*)__host_cuda_error_text(error, 1);
}
inline const char* cudaGetErrorName(cudaError_t error) {
    return (const char*)__host_cuda_error_text(error, 0);
}
