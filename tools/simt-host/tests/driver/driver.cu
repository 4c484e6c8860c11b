//# a call before cuInit, and without a context
#include <cuda.h>
int main() {
    CUdeviceptr p;
    int count = 0, version = 0;
    CUcontext context;
    if (cuDriverGetVersion(&version) != CUDA_SUCCESS || version != CUDA_VERSION) return 1;
    if (cuDeviceGetCount(&count) != CUDA_ERROR_NOT_INITIALIZED) return 2;
    if (cuInit(1) != CUDA_ERROR_INVALID_VALUE || cuInit(0) != CUDA_SUCCESS) return 3;
    if (cuDeviceGetCount(&count) != CUDA_SUCCESS || count != 1) return 4;
    if (cuMemAlloc(&p, 16) != CUDA_ERROR_INVALID_CONTEXT || cuCtxSynchronize() != 201) return 5;
    return cuCtxGetCurrent(&context) != CUDA_SUCCESS || context ? 6 : 0;
}
//# the device
#include <cuda.h>
#include <string.h>
int main() {
    CUdevice device = 7;
    char name[32], bus[32];
    int major, minor, warp, threads, none;
    size_t bytes;
    CUuuid uuid;
    if (cuInit(0) || cuDeviceGet(&device, 0) || device != 0) return 1;
    if (cuDeviceGet(&device, 1) != CUDA_ERROR_INVALID_DEVICE) return 2;
    if (cuDeviceGetName(name, sizeof name, 0) || strcmp(name, "NVIDIA H200")) return 3;
    if (cuDeviceGetName(name, 7, 0) || strcmp(name, "NVIDIA")) return 4;
    if (cuDeviceComputeCapability(&major, &minor, 0) || major != 9 || minor != 0) return 5;
    if (cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) || warp != 32) return 6;
    if (cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0) || threads != 1024) return 7;
    if (cuDeviceGetAttribute(&none, (CUdevice_attribute)12345, 0) != CUDA_ERROR_INVALID_VALUE) return 8;
    if (cuDeviceGetAttribute(&none, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 3) != CUDA_ERROR_INVALID_DEVICE) return 9;
    if (cuDeviceTotalMem(&bytes, 0) || bytes < 1 << 30 || cuDeviceGetUuid(&uuid, 0)) return 10;
    return cuDeviceGetPCIBusId(bus, sizeof bus, 0) || strcmp(bus, "0000:00:00.0");
}
//# names of errors
#include <cuda.h>
#include <string.h>
int main() {
    const char* text;
    if (cuGetErrorName(CUDA_ERROR_INVALID_CONTEXT, &text) || strcmp(text, "CUDA_ERROR_INVALID_CONTEXT")) return 1;
    if (cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text) || strcmp(text, "invalid argument")) return 2;
    if (cuGetErrorName(CUDA_SUCCESS, &text) || strcmp(text, "CUDA_SUCCESS")) return 3;
    return cuGetErrorName((CUresult)12345, &text) != CUDA_ERROR_INVALID_VALUE || text;
}
//# contexts are a stack
#include <cuda.h>
int main() {
    CUcontext a, b, now;
    CUctxCreateParams params = {};
    if (cuInit(0) || cuCtxCreate(&a, &params, CU_CTX_SCHED_SPIN, 0) || cuCtxCreate(&b, 0, 0)) return 1;
    unsigned int flags;
    if (cuCtxGetCurrent(&now) || now != b) return 2;
    if (cuCtxPopCurrent(&now) || now != b || cuCtxGetCurrent(&now) || now != a) return 3;
    if (cuCtxGetFlags(&flags) || flags != CU_CTX_SCHED_SPIN) return 4;
    if (cuCtxPushCurrent(b) || cuCtxDestroy(b) || cuCtxGetCurrent(&now) || now != a) return 5;
    if (cuCtxPushCurrent(b) != CUDA_ERROR_CONTEXT_IS_DESTROYED || cuCtxDestroy(b) != CUDA_ERROR_CONTEXT_IS_DESTROYED) return 6;
    if (cuCtxSetCurrent(0) || cuCtxGetCurrent(&now) || now || cuCtxPopCurrent(&now) != CUDA_ERROR_INVALID_CONTEXT) return 7;
    CUdevice device;
    if (cuCtxGetDevice(&device) != CUDA_ERROR_INVALID_CONTEXT || cuCtxSetCurrent(a) || cuCtxGetDevice(&device)) return 8;
    return cuCtxDestroy_v2(a) || cuCtxSynchronize() != CUDA_ERROR_INVALID_CONTEXT ? 9 : 0;
}
//# each thread has a context of its own
#include <cuda.h>
#include <thread>
int main() {
    CUcontext context, now;
    CUdeviceptr a;
    cuInit(0), cuCtxCreate(&context, 0, 0), cuMemAlloc(&a, 16);
    int inside = -1;
    std::thread other([&] {
        CUcontext here;
        inside = cuCtxGetCurrent(&here) || here || cuMemsetD8(a, 1, 16) != CUDA_ERROR_INVALID_CONTEXT;
        inside += cuCtxSetCurrent(context) || cuMemsetD8(a, 1, 16);
    });
    other.join();
    if (inside || cuCtxGetCurrent(&now) || now != context) return 1;
    return cuMemFree(a) || cuCtxDestroy(context);
}
//# the primary context
#include <cuda.h>
int main() {
    CUcontext primary, now;
    unsigned int flags;
    int active = 1;
    if (cuInit(0) || cuDevicePrimaryCtxGetState(0, &flags, &active) || active) return 1;
    if (cuDevicePrimaryCtxRetain(&primary, 0) || cuCtxGetCurrent(&now) || now) return 2;
    if (cuCtxSetCurrent(primary) || cuDevicePrimaryCtxGetState(0, &flags, &active) || !active) return 3;
    CUdeviceptr p;
    if (cuMemAlloc(&p, 4) || cuMemFree(p) || cuCtxDestroy(primary) != CUDA_ERROR_INVALID_CONTEXT) return 4;
    if (cuDevicePrimaryCtxRelease(0) || cuDevicePrimaryCtxRelease(0) != CUDA_ERROR_INVALID_CONTEXT) return 5;
    return cuMemAlloc(&p, 4) != CUDA_ERROR_CONTEXT_IS_DESTROYED ? 6 : 0;
}
//# the runtime makes the primary context
#include <cuda.h>
int main() {
    float* a;
    CUcontext primary, now;
    cudaMalloc(&a, 64);
    if (cuDevicePrimaryCtxRetain(&primary, 0) || cuCtxGetCurrent(&now) || now != primary) return 1;
    if (cuMemsetD8((CUdeviceptr)a, 0, 64)) return 2;
    cudaFree(a);
    return cuDevicePrimaryCtxRelease(0);
}
//# memory of each kind
#include <cuda.h>
int main() {
    CUcontext context;
    cuInit(0), cuCtxCreate(&context, 0, 0);
    CUdeviceptr device, managed, pitched, again;
    void *pinned, *mapped;
    size_t pitch, free, total;
    if (cuMemAlloc(&device, 0) != CUDA_ERROR_INVALID_VALUE || cuMemAlloc_v2(&device, 64)) return 1;
    if (cuMemAllocManaged(&managed, 64, 9) != CUDA_ERROR_INVALID_VALUE || cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL)) return 2;
    if (cuMemAllocHost(&pinned, 64) || cuMemHostAlloc(&mapped, 64, CU_MEMHOSTALLOC_DEVICEMAP)) return 3;
    if (cuMemAllocPitch(&pitched, &pitch, 100, 4, 4) || pitch < 100 || cuMemAllocPitch(&again, &pitch, 100, 4, 3) != 1) return 4;
    if (cuMemGetInfo(&free, &total) || free > total) return 5;
    CUmemorytype type;
    unsigned int is_managed;
    int ordinal;
    if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device) || type != CU_MEMORYTYPE_DEVICE) return 6;
    if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)pinned) || type != CU_MEMORYTYPE_HOST) return 7;
    if (cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed) || !is_managed) return 8;
    if (cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, device) || ordinal) return 9;
    if (cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (CUdeviceptr)&ordinal) != CUDA_ERROR_INVALID_VALUE) return 10;
    if (cuMemHostGetDevicePointer(&again, mapped, 0)) return 11;
    *(int*)managed = 5;
    return cuMemFree(device) || cuMemFree(managed) || cuMemFree(pitched) || cuMemFreeHost(pinned) || cuMemFreeHost(mapped) || cuCtxDestroy(context);
}
//# copies and fills
#include <cuda.h>
int main() {
    CUcontext context;
    cuInit(0), cuCtxCreate(&context, 0, 0);
    CUdeviceptr a, b;
    cuMemAlloc(&a, 64), cuMemAlloc(&b, 64);
    unsigned int words[16];
    if (cuMemsetD32(a, 0x01020304, 16) || cuMemcpyDtoH(words, a, 64) || words[0] != 0x01020304 || words[15] != 0x01020304) return 1;
    if (cuMemsetD16(a + 2, 0xabcd, 3) || cuMemcpyDtoH(words, a, 64) || words[0] != 0xabcd0304 || words[1] != 0xabcdabcd || words[2] != 0x01020304) return 2;
    if (cuMemsetD8(a, 0x7f, 64) || cuMemcpyDtoD(b, a, 64) || cuMemcpyDtoH(words, b, 64) || words[9] != 0x7f7f7f7f) return 3;
    if (cuMemsetD32(a + 1, 0, 1) != CUDA_ERROR_INVALID_VALUE) return 4;
    if (cuMemsetD2D32(a, 32, 9, 2, 2) || cuMemcpyDtoH(words, a, 64) || words[1] != 9 || words[2] != 0x7f7f7f7f || words[8] != 9) return 5;
    for (int i = 0; i < 16; i++) words[i] = i;
    if (cuMemcpyHtoD(b, words, 64) || cuMemcpy(a, b, 64) || cuMemcpyDtoH(words, a + 4, 4) || words[0] != 1) return 6;
    CUDA_MEMCPY2D part = {};
    part.srcMemoryType = CU_MEMORYTYPE_DEVICE, part.srcDevice = a, part.srcPitch = 16, part.srcXInBytes = 4, part.srcY = 1;
    part.dstMemoryType = CU_MEMORYTYPE_HOST, part.dstHost = words, part.WidthInBytes = 8, part.Height = 2;
    if (cuMemcpy2D(&part) || words[0] != 5 || words[1] != 6 || words[2] != 9 || words[3] != 10) return 7;
    return cuMemFree(a) || cuMemFree(b) || cuCtxDestroy(context);
}
//# streams and events
#include <cuda.h>
static int called = 0;
void call(void* data) { called += *(int*)data; }
int main() {
    CUcontext context;
    cuInit(0), cuCtxCreate(&context, 0, 0);
    CUstream stream, other;
    CUevent start, end;
    CUdeviceptr a;
    void* pinned;
    float ms = -1;
    int two = 2;
    if (cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) || cuStreamCreateWithPriority(&other, 0, -1)) return 1;
    if (cuEventCreate(&start, CU_EVENT_DEFAULT) || cuEventCreate(&end, CU_EVENT_DEFAULT)) return 2;
    if (cuMemAllocAsync(&a, 64, stream) || cuMemAllocHost(&pinned, 64)) return 3;
    if (cuEventRecord(start, stream) || cuMemsetD32Async(a, 3, 16, stream) || cuMemcpyDtoHAsync(pinned, a, 64, stream)) return 4;
    if (cuLaunchHostFunc(stream, call, &two) || cuEventRecord(end, stream) || cuStreamWaitEvent(other, end, 0)) return 5;
    if (cuEventSynchronize(end) || cuStreamSynchronize(stream) || cuStreamQuery(other) || cuEventQuery(end)) return 6;
    if (cuEventElapsedTime(&ms, start, end) || ms < 0 || called != 2 || *(int*)pinned != 3) return 7;
    if (cuMemFreeAsync(a, stream) || cuMemFreeHost(pinned) || cuEventDestroy(start) || cuEventDestroy(end)) return 8;
    if (cuStreamDestroy(stream) || cuStreamDestroy(other) || cuStreamDestroy(other) != CUDA_ERROR_INVALID_HANDLE) return 9;
    return cuCtxDestroy(context);
}
