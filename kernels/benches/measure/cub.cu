// What the reductions are held against: CUB, through the runtime on the caller's context and stream.
// Compiled by nvcc where there is one, loaded at run time.
#include <cub/cub.cuh>

#define SUM(NAME, TYPE)                                                                            \
    extern "C" int cub_##NAME(void* scratch, unsigned long long bytes, const TYPE* in, TYPE* out,  \
                              unsigned long long n, void* stream) {                                \
        size_t given = bytes;                                                                      \
        return cub::DeviceReduce::Sum(scratch, given, in, out, static_cast<long long>(n),          \
                                      static_cast<cudaStream_t>(stream));                          \
    }

SUM(i32, int)
SUM(f32, float)

// Major, minor and patch of CUB, and then of the compiler.
extern "C" void cub_version(int* version) {
    version[0] = CUB_MAJOR_VERSION, version[1] = CUB_MINOR_VERSION, version[2] = CUB_SUBMINOR_VERSION;
    version[3] = __CUDACC_VER_MAJOR__, version[4] = __CUDACC_VER_MINOR__, version[5] = __CUDACC_VER_BUILD__;
}
