// <cooperative_groups/memcpy_async.h>: the group copies at once, and to wait is to synchronise.
#ifndef __MEMCPY_ASYNC_TEXT
#define __MEMCPY_ASYNC_TEXT
#include <cuda/pipeline>
namespace cooperative_groups {
template <typename G, typename T> __device__ inline void memcpy_async(const G& group, T* to, const T* from, size_t bytes) {
    __copied_by(group.thread_rank(), group.size(), to, from, bytes);
}
template <typename G, typename T, size_t A>
__device__ inline void memcpy_async(const G& group, T* to, const T* from, cuda::aligned_size_t<A> bytes) {
    __copied_by(group.thread_rank(), group.size(), to, from, bytes.value);
}
template <typename G, typename T> __device__ inline void memcpy_async(const G& group, T* to, size_t room, const T* from, size_t count) {
    __copied_by(group.thread_rank(), group.size(), to, from, (room < count ? room : count) * sizeof(T));
}
template <typename G> __device__ inline void wait(const G& group) { group.sync(); }
template <unsigned int N, typename G> __device__ inline void wait_prior(const G& group) { group.sync(); }
}
#endif
