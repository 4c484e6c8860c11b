// <cuda/functional>: what a function object returns, said in words; the larger and the smaller of two.
#ifndef __CUDA_FUNCTIONAL_TEXT
#define __CUDA_FUNCTIONAL_TEXT
namespace cuda {
template <typename R, typename F> struct __returning {
    F __f;
    template <typename... A> __host__ __device__ R operator()(A&&... a) { return __f((A&&)a...); }
    template <typename... A> __host__ __device__ R operator()(A&&... a) const { return __f((A&&)a...); }
};
template <typename R, typename F> __host__ __device__ inline __returning<R, F> proclaim_return_type(F f) { return __returning<R, F>{f}; }
template <typename T = void> struct maximum {
    __host__ __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <> struct maximum<void> {
    template <typename T, typename U> __host__ __device__ auto operator()(const T& a, const U& b) const { return a < b ? b : a; }
};
template <typename T = void> struct minimum {
    __host__ __device__ T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <> struct minimum<void> {
    template <typename T, typename U> __host__ __device__ auto operator()(const T& a, const U& b) const { return b < a ? b : a; }
};
}
#endif
