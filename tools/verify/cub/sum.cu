// What sums of ints and floats are held against: CUB, through the runtime on the caller's context and
// stream. Compiled by nvcc where there is one, loaded at run time.
#include <cub/cub.cuh>
#include <cub/version.cuh>

// 200802 for 2.8.2.
extern "C" int verify_cub_version() { return CUB_VERSION; }

// How much scratch memory a sum of `n` elements needs, and a sum, queued on `stream`. Each function
// returns a cudaError_t.
#define SUM(NAME, TYPE)                                                                            \
    extern "C" int verify_cub_sum_##NAME##_bytes(unsigned long long n, unsigned long long* bytes) { \
        size_t needed = 0;                                                                         \
        cudaError_t error = cub::DeviceReduce::Sum(                                                \
            nullptr, needed, static_cast<const TYPE*>(nullptr), static_cast<TYPE*>(nullptr),       \
            static_cast<long long>(n));                                                            \
        *bytes = needed;                                                                           \
        return error;                                                                              \
    }                                                                                              \
    extern "C" int verify_cub_sum_##NAME(void* scratch, unsigned long long bytes, const TYPE* in,  \
                                         TYPE* out, unsigned long long n, void* stream) {          \
        size_t given = bytes;                                                                      \
        return cub::DeviceReduce::Sum(scratch, given, in, out, static_cast<long long>(n),          \
                                      static_cast<cudaStream_t>(stream));                          \
    }

SUM(i32, int)
SUM(f32, float)
