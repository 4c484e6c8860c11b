// What a sum of ints is held against: CUB, through the runtime on the caller's context and stream.
// Compiled by nvcc where there is one, loaded at run time.
#include <cub/cub.cuh>
#include <cub/version.cuh>

// 200802 for 2.8.2.
extern "C" int verify_cub_version() { return CUB_VERSION; }

// How much scratch memory a sum of `n` ints needs. Each function returns a cudaError_t.
extern "C" int verify_cub_sum_i32_bytes(unsigned long long n, unsigned long long* bytes) {
    size_t needed = 0;
    cudaError_t error = cub::DeviceReduce::Sum(
        nullptr, needed, static_cast<const int*>(nullptr), static_cast<int*>(nullptr), static_cast<long long>(n));
    *bytes = needed;
    return error;
}

// Queues the sum on `stream`.
extern "C" int verify_cub_sum_i32(void* scratch, unsigned long long bytes, const int* in, int* out,
                                  unsigned long long n, void* stream) {
    size_t given = bytes;
    return cub::DeviceReduce::Sum(scratch, given, in, out, static_cast<long long>(n),
                                  static_cast<cudaStream_t>(stream));
}
