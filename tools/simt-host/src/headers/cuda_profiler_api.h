// <cuda_profiler_api.h>: the calls bound what a recorded timeline counts.
#pragma once
#define __CUDA_PROFILER_API_H__
#include <cuda_runtime.h>
inline cudaError_t cudaProfilerStart() { __host_cuda_profiler(1); return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { __host_cuda_profiler(0); return cudaSuccess; }
