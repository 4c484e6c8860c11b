// What programs ask of a device, printed as far as it is the same on every one of the family.
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <iostream>
#include <memory>
#include <string>

int main(int argc, char **argv) {
  printf("%s Starting...\n\n", "deviceQuery");
  int deviceCount = 0;
  cudaError_t error_id = cudaGetDeviceCount(&deviceCount);
  if (error_id != cudaSuccess) {
    printf("cudaGetDeviceCount returned %d\n-> %s\n", static_cast<int>(error_id), cudaGetErrorString(error_id));
    printf("Result = FAIL\n");
    exit(EXIT_FAILURE);
  }
  if (deviceCount == 0) {
    printf("There are no available device(s) that support CUDA\n");
    return 1;
  }
  printf("Detected CUDA Capable device(s)\n");
  int dev = 0, driverVersion = 0, runtimeVersion = 0;
  cudaSetDevice(dev);
  cudaDeviceProp deviceProp;
  checkCudaErrors(cudaGetDeviceProperties(&deviceProp, dev));
  cudaDriverGetVersion(&driverVersion);
  cudaRuntimeGetVersion(&runtimeVersion);
  bool sane = strlen(deviceProp.name) > 0 && runtimeVersion >= 11000 && driverVersion >= runtimeVersion / 1000 * 1000;
  printf("  CUDA Capability Major version number: %d\n", deviceProp.major);
  char msg[256];
  snprintf(msg, sizeof(msg), "  Total amount of global memory is at least 1 GB: %s\n", deviceProp.totalGlobalMem >= (1ull << 30) ? "yes" : "no");
  printf("%s", msg);
  sane = sane && deviceProp.multiProcessorCount > 0 && _ConvertSMVer2Cores(deviceProp.major, deviceProp.minor) > 0;
  printf("  Total amount of constant memory:               %zu bytes\n", deviceProp.totalConstMem);
  printf("  Total amount of shared memory per block:       %zu bytes\n", deviceProp.sharedMemPerBlock);
  printf("  Total number of registers available per block: %d\n", deviceProp.regsPerBlock);
  printf("  Warp size:                                     %d\n", deviceProp.warpSize);
  printf("  Maximum number of threads per multiprocessor:  %d\n", deviceProp.maxThreadsPerMultiProcessor);
  printf("  Maximum number of threads per block:           %d\n", deviceProp.maxThreadsPerBlock);
  printf("  Max dimension size of a thread block (x,y,z): (%d, %d, %d)\n", deviceProp.maxThreadsDim[0], deviceProp.maxThreadsDim[1], deviceProp.maxThreadsDim[2]);
  printf("  Max dimension size of a grid size    (x,y,z): (%d, %d, %d)\n", deviceProp.maxGridSize[0], deviceProp.maxGridSize[1], deviceProp.maxGridSize[2]);
  printf("  Unified addressing: %d, managed memory: %d\n", deviceProp.unifiedAddressing, deviceProp.managedMemory);
  int warp = 0, blockThreads = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, dev));
  checkCudaErrors(cudaDeviceGetAttribute(&blockThreads, cudaDevAttrMaxThreadsPerBlock, dev));
  size_t freeBytes = 0, totalBytes = 0;
  checkCudaErrors(cudaMemGetInfo(&freeBytes, &totalBytes));
  sane = sane && warp == 32 && blockThreads == 1024 && freeBytes > 0 && freeBytes <= totalBytes;
  std::string profile = "deviceQuery, CUDA Driver = CUDART";
  profile += sane ? ", Result = PASS" : ", Result = FAIL";
  std::cout << profile << std::endl;
  if (sane) printf("passed\n");
  exit(sane ? EXIT_SUCCESS : EXIT_FAILURE);
}
