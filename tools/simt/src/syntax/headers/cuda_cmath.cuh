// <cuda/cmath>: integers rounded up and down to a multiple.
#ifndef __CUDA_CMATH_TEXT
#define __CUDA_CMATH_TEXT
namespace cuda {
template <typename T, typename U> __host__ __device__ constexpr auto ceil_div(T a, U b) { return a / b + (a % b != 0); }
template <typename T, typename U> __host__ __device__ constexpr auto round_up(T a, U b) { return ceil_div(a, b) * b; }
template <typename T, typename U> __host__ __device__ constexpr auto round_down(T a, U b) { return a / b * b; }
}
#endif
