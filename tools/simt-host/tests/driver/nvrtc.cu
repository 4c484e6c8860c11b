//# a sum of two vectors
#include <cuda.h>
#include <nvrtc.h>
#include <vector>
const char* text = "extern \"C\" __global__ void add(const float* a, const float* b, float* c, int n) {\n"
                   "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "    if (i < n) c[i] = a[i] + b[i];\n}\n";
int main() {
    nvrtcProgram program;
    if (nvrtcCreateProgram(&program, text, "add.cu", 0, nullptr, nullptr)) return 1;
    const char* options[] = {"--gpu-architecture=sm_90", "--std=c++17"};
    if (nvrtcCompileProgram(program, 2, options)) return 2;
    size_t ptx_size, cubin_size, log_size;
    if (nvrtcGetPTXSize(program, &ptx_size) || nvrtcGetCUBINSize(program, &cubin_size)) return 3;
    if (nvrtcGetProgramLogSize(program, &log_size) || log_size != 1) return 4;
    std::vector<char> ptx(ptx_size), cubin(cubin_size);
    if (nvrtcGetPTX(program, ptx.data()) || nvrtcGetCUBIN(program, cubin.data())) return 5;
    if (nvrtcDestroyProgram(&program) || program) return 6;
    CUcontext context;
    CUmodule module, other;
    CUfunction add;
    cuInit(0), cuCtxCreate(&context, 0, 0);
    if (cuModuleLoadData(&module, ptx.data()) || cuModuleLoadDataEx(&other, cubin.data(), 0, 0, 0)) return 7;
    int n = 1000, bytes = 4 * n;
    std::vector<float> a(n, 1), b(n, 2), c(n);
    CUdeviceptr x, y, z;
    cuMemAlloc(&x, bytes), cuMemAlloc(&y, bytes), cuMemAlloc(&z, bytes);
    cuMemcpyHtoD(x, a.data(), bytes), cuMemcpyHtoD(y, b.data(), bytes);
    void* args[] = {&x, &y, &z, &n};
    if (cuModuleGetFunction(&add, module, "add") || cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, 0, args, 0)) return 8;
    if (cuCtxSynchronize() || cuMemcpyDtoH(c.data(), z, bytes) || c[0] != 3 || c[999] != 3) return 9;
    // The arguments in a buffer.
    struct { CUdeviceptr x, y, z; int n; } all = {z, y, x, n};
    size_t size = 28;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &all, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    if (cuModuleGetFunction(&add, other, "add") || cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, 0, 0, extra)) return 10;
    if (cuMemcpyDtoH(c.data(), x, bytes) || c[500] != 5) return 11;
    // With the padding behind the last argument the buffer is too large.
    size = sizeof all;
    if (cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, 0, 0, extra) != CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) return 13;
    size = 24;
    if (cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, 0, 0, extra) != CUDA_ERROR_INVALID_VALUE) return 12;
    cuMemFree(x), cuMemFree(y), cuMemFree(z);
    return cuModuleUnload(module) || cuModuleUnload(other) || cuCtxDestroy(context);
}
//# headers, macros and name expressions
#include <cuda.h>
#include <nvrtc.h>
#include <string>
#include <string.h>
const char* text = R"(
#include "scale.h"
#include <more/offset.h>
__constant__ float factors[2] = {2, 4};
namespace ns {
    template <typename T, int N> __global__ void fill(T* a) { a[threadIdx.x] = twice(N) * factors[1] + OFFSET + MORE; }
    __global__ void mine(int* a) { *a = 1; }
}
__global__ void mine(int* a) { *a = 2; }
#ifndef __CUDACC_RTC__
#error this is NVRTC
#endif
)";
int main() {
    nvrtcProgram program;
    const char* headers[] = {"__device__ float twice(float x) { return 2 * x; }\n", "#define MORE 0.5f\n"};
    const char* names[] = {"scale.h", "more/offset.h"};
    if (nvrtcCreateProgram(&program, text, nullptr, 2, headers, names)) return 1;
    const char* name = nullptr;
    if (nvrtcAddNameExpression(program, "ns::fill<float, 3>") || nvrtcAddNameExpression(program, "ns::mine")) return 2;
    if (nvrtcAddNameExpression(program, "mine") || nvrtcAddNameExpression(program, "&factors")) return 3;
    if (nvrtcGetLoweredName(program, "mine", &name) != NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION) return 4;
    const char* options[] = {"-DOFFSET=1.0f", "-arch=compute_90"};
    if (nvrtcCompileProgram(program, 2, options)) return 5;
    if (nvrtcAddNameExpression(program, "other") != NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION) return 6;
    if (nvrtcGetLoweredName(program, "ns::fill<int, 3>", &name) != NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID) return 7;
    std::string fill, mine, other, factors;
    if (nvrtcGetLoweredName(program, "ns::fill<float, 3>", &name)) return 8;
    fill = name;
    if (nvrtcGetLoweredName(program, "ns::mine", &name)) return 9;
    mine = name;
    if (nvrtcGetLoweredName(program, "mine", &name) || mine == name) return 10;
    other = name;
    if (nvrtcGetLoweredName(program, "&factors", &name)) return 11;
    factors = name;
    size_t size;
    if (nvrtcGetCUBINSize(program, &size) || size != 0 || nvrtcGetPTXSize(program, &size)) return 12;
    char* ptx = new char[size];
    if (nvrtcGetPTX(program, ptx) || strncmp(ptx, "// cuda-sim module: ", 20) || nvrtcDestroyProgram(&program)) return 13;
    CUcontext context;
    CUmodule module;
    CUfunction f, g, h, mangled;
    cuInit(0), cuCtxCreate(&context, 0, 0);
    if (cuModuleLoadData(&module, ptx)) return 14;
    delete[] ptx;
    if (cuModuleGetFunction(&f, module, fill.c_str()) || cuModuleGetFunction(&g, module, mine.c_str())) return 15;
    if (cuModuleGetFunction(&h, module, other.c_str()) || g == h) return 16;
    // What a compiler makes of the names.
    if (cuModuleGetFunction(&mangled, module, "_Z4minePi") || mangled != h) return 17;
    if (cuModuleGetFunction(&mangled, module, "_ZN2ns4fillIfLi3EEEvPT_") || mangled != f) return 18;
    CUdeviceptr a, constant;
    cuMemAlloc(&a, 128);
    void* args[] = {&a};
    float host[32];
    int one = 0;
    if (cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, 0) || cuMemcpyDtoH(host, a, 128) || host[31] != 25.5f) return 19;
    if (cuModuleGetGlobal(&constant, &size, module, factors.c_str()) || size != 8) return 20;
    host[0] = 10;
    if (cuMemcpyHtoD(constant + 4, host, 4) || cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, 0)) return 21;
    if (cuMemcpyDtoH(host, a, 128) || host[0] != 61.5f) return 22;
    if (cuLaunchKernel(g, 1, 1, 1, 1, 1, 1, 0, 0, args, 0) || cuMemcpyDtoH(&one, a, 4) || one != 1) return 23;
    if (cuLaunchKernel(h, 1, 1, 1, 1, 1, 1, 0, 0, args, 0) || cuMemcpyDtoH(&one, a, 4) || one != 2) return 24;
    unsigned int count;
    if (cuModuleGetFunctionCount(&count, module) || count != 3) return 25;
    return cuMemFree(a) || cuCtxDestroy(context);
}
//# the program's kernels and variables, and those of two modules
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
__device__ int here = 5;
__global__ void own(int* out) { *out = here++; }
CUmodule load(const char* text) {
    nvrtcProgram program;
    nvrtcCreateProgram(&program, text, "part.cu", 0, 0, 0);
    const char* option = "-G";
    if (nvrtcCompileProgram(program, 1, &option)) return 0;
    size_t size;
    nvrtcGetPTXSize(program, &size);
    char* ptx = (char*)malloc(size);
    nvrtcGetPTX(program, ptx);
    nvrtcDestroyProgram(&program);
    CUmodule module;
    if (cuModuleLoadData(&module, ptx)) return 0;
    free(ptx);
    return module;
}
int result(CUmodule module, int* device) {
    CUfunction f;
    int host = -1;
    void* args[] = {&device};
    if (cuModuleGetFunction(&f, module, "count") || cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, 0)) return -2;
    cudaMemcpy(&host, device, 4, cudaMemcpyDeviceToHost);
    return host;
}
int main() {
    const char* text = "__device__ int here = 40; extern \"C\" __global__ void count(int* out) { *out = here++; }";
    int *device, host;
    cudaMalloc(&device, 4);
    own<<<1, 1>>>(device);
    CUmodule a = load(text), b = load(text), c = load("__device__ int pad[3]; __device__ int here = 9; extern \"C\" __global__ void count(int* out) { *out = here++; }");
    if (result(a, device) != 40 || result(a, device) != 41 || result(b, device) != 40 || result(c, device) != 9) return 1;
    own<<<1, 1>>>(device);
    cudaMemcpy(&host, device, 4, cudaMemcpyDeviceToHost);
    if (host != 6 || cuModuleUnload(a) || result(b, device) != 41 || result(c, device) != 10) return 2;
    CUmodule again = load(text);
    if (result(again, device) != 40) return 3;
    cudaMemcpyFromSymbol(&host, here, 4);
    cudaFree(device);
    return host != 7;
}
//# attributes, occupancy and cooperative launches
#include <cuda.h>
#include <nvrtc.h>
#include <string.h>
const char* text = R"(
#include <cooperative_groups.h>
extern "C" __global__ void __launch_bounds__(256) turn(int* a, int n) {
    extern __shared__ int all[];
    all[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = all[n - 1 - threadIdx.x];
}
extern "C" __global__ void wait(int* a) {
    if (blockIdx.x == 0 && threadIdx.x == 0) a[0] = 7;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 1 && threadIdx.x == 0) a[1] = a[0];
}
)";
int main() {
    nvrtcProgram program;
    nvrtcCreateProgram(&program, text, "turn.cu", 0, 0, 0);
    if (nvrtcCompileProgram(program, 0, 0)) return 1;
    size_t size;
    nvrtcGetPTXSize(program, &size);
    char* ptx = new char[size];
    nvrtcGetPTX(program, ptx);
    nvrtcDestroyProgram(&program);
    CUcontext context;
    CUlibrary library;
    CUkernel kernel;
    CUmodule module;
    CUfunction turn, wait;
    cuInit(0), cuCtxCreate(&context, 0, 0);
    if (cuLibraryLoadData(&library, ptx, 0, 0, 0, 0, 0, 0) || cuLibraryGetKernel(&kernel, library, "turn")) return 2;
    if (cuLibraryGetModule(&module, library) || cuModuleGetFunction(&turn, module, "turn") || cuModuleGetFunction(&wait, module, "wait")) return 3;
    CUfunction same;
    const char* name;
    if (cuKernelGetFunction(&same, kernel) || same != turn || cuFuncGetName(&name, turn) || strcmp(name, "turn")) return 4;
    int value;
    size_t offset, bytes;
    if (cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, turn) || value != 256) return 5;
    if (cuFuncGetParamInfo(turn, 1, &offset, &bytes) || offset != 8 || bytes != 4 || cuFuncGetParamInfo(turn, 2, &offset, 0) != 1) return 6;
    CUdeviceptr a;
    cuMemAlloc(&a, 1024);
    int host[256], n = 256;
    for (int i = 0; i < n; i++) host[i] = i;
    cuMemcpyHtoD(a, host, 1024);
    void* args[] = {&a, &n};
    if (cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 256, 1, 1, 1024, 0, args, 0) || cuMemcpyDtoH(host, a, 1024) || host[0] != 255) return 7;
    if (cuFuncSetAttribute(turn, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100000)) return 8;
    if (cuLaunchKernel(turn, 1, 1, 1, 256, 1, 1, 90000, 0, args, 0) || cuMemcpyDtoH(host, a, 1024) || host[0] != 0) return 9;
    if (cuLaunchCooperativeKernel(wait, 2, 1, 1, 32, 1, 1, 0, 0, args) || cuMemcpyDtoH(host, a, 1024) || host[1] != 7) return 10;
    if (cuLaunchCooperativeKernel(wait, 100000, 1, 1, 32, 1, 1, 0, 0, args) != CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) return 11;
    return cuMemFree(a) || cuLibraryUnload(library) || cuCtxDestroy(context);
}
//# what is refused before anything is compiled
#include <nvrtc.h>
#include <string.h>
int main() {
    nvrtcProgram program = 0, gone;
    int major, minor, count;
    size_t size;
    if (nvrtcVersion(&major, &minor) || major != 13 || nvrtcGetNumSupportedArchs(&count) || count < 1) return 1;
    if (nvrtcCreateProgram(&program, 0, 0, 0, 0, 0) != NVRTC_ERROR_INVALID_INPUT) return 2;
    if (nvrtcCreateProgram(&program, "__global__ void f() {}", 0, 0, 0, 0)) return 3;
    if (nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS) return 4;
    const char* option = "--no-such-option";
    if (nvrtcCompileProgram(program, 1, &option) != NVRTC_ERROR_INVALID_OPTION) return 5;
    char log[200];
    if (nvrtcGetProgramLogSize(program, &size) || size > sizeof log || nvrtcGetProgramLog(program, log)) return 6;
    if (strcmp(log, "nvrtc: error: no option `--no-such-option` is known\n")) return 7;
    gone = program;
    if (nvrtcDestroyProgram(&program) || nvrtcDestroyProgram(&gone) != NVRTC_ERROR_INVALID_PROGRAM) return 8;
    return strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION");
}
//# an image is linked, and its kernel is a node of a graph
#include <cuda.h>
#include <nvrtc.h>
#include <vector>
int main() {
    nvrtcProgram program;
    size_t bytes;
    nvrtcCreateProgram(&program, "extern \"C\" __global__ void twice(int* a) { a[threadIdx.x] *= 2; }", "twice.cu", 0, 0, 0);
    if (nvrtcCompileProgram(program, 0, 0) || nvrtcGetPTXSize(program, &bytes)) return 1;
    std::vector<char> ptx(bytes);
    nvrtcGetPTX(program, ptx.data());
    CUdevice device;
    CUcontext context;
    CUlinkState link;
    CUmodule module;
    CUfunction twice;
    void* image;
    cuInit(0), cuDeviceGet(&device, 0), cuCtxCreate(&context, 0, device);
    char log[64];
    CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, (void*)sizeof log};
    if (cuLinkCreate(2, options, values, &link) || cuLinkComplete(link, &image, &bytes) != CUDA_ERROR_INVALID_VALUE) return 2;
    if (cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, "libcudadevrt.a", 0, 0, 0)) return 3;
    if (cuLinkAddFile(link, CU_JIT_INPUT_PTX, "no.ptx", 0, 0, 0) != CUDA_ERROR_FILE_NOT_FOUND) return 4;
    if (cuLinkAddData(link, CU_JIT_INPUT_PTX, ptx.data(), ptx.size(), "twice.ptx", 0, 0, 0)) return 5;
    if (cuLinkComplete(link, &image, &bytes) || cuModuleLoadData(&module, image) || cuLinkDestroy(link)) return 6;
    if (cuModuleGetFunction(&twice, module, "twice")) return 7;

    CUmemoryPool pool, same;
    CUmemPoolProps props = {};
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    unsigned long long kept = 1 << 20, read = 0;
    if (cuMemPoolCreate(&pool, &props) || cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &kept)) return 8;
    if (cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &read) || read != kept) return 9;
    if (cuDeviceGetDefaultMemPool(&same, device) || same == pool) return 10;
    CUstream stream;
    CUdeviceptr a, start;
    cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
    if (cuMemAllocFromPoolAsync(&a, 400, pool, stream) || cuMemsetD32Async(a, 7, 100, stream)) return 11;
    if (cuMemGetAddressRange(&start, &bytes, a + 40) || start != a || bytes != 400) return 12;

    void* arguments[] = {&a};
    CUDA_KERNEL_NODE_PARAMS node = {};
    node.func = twice;
    node.gridDimX = node.gridDimY = node.gridDimZ = node.blockDimY = node.blockDimZ = 1;
    node.blockDimX = 100;
    node.kernelParams = arguments;
    CUgraph graph, captured;
    CUgraphNode first;
    CUgraphExec one, other;
    size_t nodes = 0;
    if (cuGraphCreate(&graph, 0) || cuGraphAddKernelNode(&first, graph, 0, 0, &node) || cuGraphInstantiate(&one, graph, 0)) return 13;
    if (cuGraphLaunch(one, stream) || cuGraphLaunch(one, stream) || cuGraphGetNodes(graph, 0, &nodes) || nodes != 1) return 14;
    CUstreamCaptureStatus status;
    if (cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL)) return 15;
    cuLaunchKernel(twice, 1, 1, 1, 100, 1, 1, 0, stream, arguments, 0);
    if (cuStreamIsCapturing(stream, &status) || status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return 16;
    if (cuStreamEndCapture(stream, &captured) || cuGraphInstantiate(&other, captured, 0) || cuGraphLaunch(other, stream)) return 17;
    int host[100];
    if (cuMemcpyDtoHAsync(host, a, 400, stream) || cuStreamSynchronize(stream) || host[0] != 56 || host[99] != 56) return 18;
    cuGraphExecDestroy(one), cuGraphExecDestroy(other), cuGraphDestroy(graph), cuGraphDestroy(captured);
    if (cuMemFreeAsync(a, stream) || cuStreamSynchronize(stream) || cuMemPoolDestroy(pool)) return 19;
    nvrtcDestroyProgram(&program);
    return cuStreamDestroy(stream) || cuCtxDestroy(context);
}
