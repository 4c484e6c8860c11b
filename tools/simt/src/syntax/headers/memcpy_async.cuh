// <cooperative_groups/memcpy_async.h>: each call is a group of `cp.async`; to wait is to synchronise, too.
#ifndef __MEMCPY_ASYNC_TEXT
#define __MEMCPY_ASYNC_TEXT
#include <cuda/pipeline>
namespace cooperative_groups {
template <typename G> __device__ inline void __begun(const G& group, void* to, const void* from, size_t bytes) {
    __begun_by(group.thread_rank(), group.size(), to, from, bytes);
    __pipeline_commit();
}
template <typename G, typename T> __device__ inline void memcpy_async(const G& group, T* to, const T* from, size_t bytes) {
    __begun(group, to, from, bytes);
}
template <typename G, typename T, size_t A>
__device__ inline void memcpy_async(const G& group, T* to, const T* from, cuda::aligned_size_t<A> bytes) {
    __begun(group, to, from, bytes.value);
}
template <typename G, typename T> __device__ inline void memcpy_async(const G& group, T* to, size_t room, const T* from, size_t count) {
    __begun(group, to, from, (room < count ? room : count) * sizeof(T));
}
template <unsigned int N, typename G> __device__ inline void wait_prior(const G& group) {
    __pipeline_wait_prior(N);
    group.sync();
}
template <typename G> __device__ inline void wait(const G& group) { wait_prior<0>(group); }
}
#endif
