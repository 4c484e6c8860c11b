// <cuda/pipeline> and <cuda_pipeline.h>. A `cuda::memcpy_async` of a thread's own pipeline is a `cp.async`;
// one of a barrier or of a block's pipeline is done at once, by the thread that starts it. The hardware
// may do the same, and a thread that reads the copy too early still has a data race.
#ifndef __PIPELINE_TEXT
#define __PIPELINE_TEXT
#include <cooperative_groups.h>
#include <cuda/atomic>
#ifdef __NVCC__
#include <utility>
#endif
#define FN __device__ __forceinline__

template <typename A> FN void __copied(void* to, const void* from, size_t bytes) {
    for (size_t i = 0; i < bytes / sizeof(A); ++i) ((A*)to)[i] = ((const A*)from)[i];
}
// A copy by the members of a group, in the widest pieces that both addresses allow.
FN void __copied_by(size_t rank, size_t size, void* to, const void* from, size_t bytes) {
    const size_t ends = (size_t)to | (size_t)from | bytes;
    if (ends % 16 == 0) for (size_t i = rank; i < bytes / 16; i += size) ((int4*)to)[i] = ((const int4*)from)[i];
    else if (ends % 4 == 0) for (size_t i = rank; i < bytes / 4; i += size) ((int*)to)[i] = ((const int*)from)[i];
    else for (size_t i = rank; i < bytes; i += size) ((char*)to)[i] = ((const char*)from)[i];
}

// The primitives are `cp.async` and its groups.
FN void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
    const unsigned int place = (unsigned int)__cvta_generic_to_shared(to), read = (unsigned int)(bytes - zeros);
    if (bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place), "l"(from), "r"(read) : "memory");
    else if (bytes == 8) asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(place), "l"(from), "r"(read) : "memory");
    else asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(place), "l"(from), "r"(read) : "memory");
}
FN void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
FN void __pipeline_wait_prior(size_t left) {
    if (left == 0) asm volatile("cp.async.wait_group 0;" ::: "memory");
    else if (left == 1) asm volatile("cp.async.wait_group 1;" ::: "memory");
    else if (left == 2) asm volatile("cp.async.wait_group 2;" ::: "memory");
    else if (left == 3) asm volatile("cp.async.wait_group 3;" ::: "memory");
    else if (left == 4) asm volatile("cp.async.wait_group 4;" ::: "memory");
    else if (left == 5) asm volatile("cp.async.wait_group 5;" ::: "memory");
    else if (left == 6) asm volatile("cp.async.wait_group 6;" ::: "memory");
    else if (left == 7) asm volatile("cp.async.wait_group 7;" ::: "memory");
    // To wait for more than is asked is right, too.
    else asm volatile("cp.async.wait_group 8;" ::: "memory");
}
// The same by `cp.async`, where that is possible: into shared memory, in pieces of at least 4 bytes.
FN void __begun_by(size_t rank, size_t size, void* to, const void* from, size_t bytes) {
    const size_t ends = (size_t)to | (size_t)from | bytes;
    if (ends % 4 != 0 || !__isShared(to) || !__isGlobal(from)) __copied_by(rank, size, to, from, bytes);
    else {
        const size_t piece = ends % 16 == 0 ? 16 : ends % 8 == 0 ? 8 : 4;
        for (size_t i = rank * piece; i < bytes; i += size * piece) __pipeline_memcpy_async((char*)to + i, (const char*)from + i, piece);
    }
}

namespace cuda {
template <size_t A> struct aligned_size_t {
    size_t value;
    FN explicit aligned_size_t(size_t bytes) : value(bytes) {}
    FN operator size_t() const { return value; }
};

// How often each stage was filled and released, if some threads produce and others consume.
template <thread_scope Scope, unsigned char Stages> struct pipeline_shared_state {
    unsigned int __filled[Stages], __released[Stages];
};
template <thread_scope Scope> struct pipeline {
    FN void producer_acquire() { if constexpr (Scope != thread_scope_thread) __syncthreads(); }
    FN void producer_commit() {}
    FN void consumer_wait() { if constexpr (Scope != thread_scope_thread) __syncthreads(); }
    FN void consumer_release() {}
    FN void quit() {}
};
// Each commit closes a stage, and each wait is for the next one.
template <> struct pipeline<thread_scope_thread> {
    unsigned int __committed, __waited;
    FN void producer_acquire() {}
    FN void producer_commit() {
        __pipeline_commit();
        ++__committed;
    }
    FN void consumer_wait() { __pipeline_wait_prior(__committed - ++__waited); }
    FN void consumer_release() {}
    FN void quit() {}
};
FN pipeline<thread_scope_thread> make_pipeline() { return {0, 0}; }
// The pipeline of a block in which every thread both produces and consumes.
template <unsigned char Stages>
FN pipeline<thread_scope_block> make_pipeline(const cooperative_groups::thread_block&, pipeline_shared_state<thread_scope_block, Stages>*) {
    return pipeline<thread_scope_block>();
}
enum class pipeline_role { producer, consumer };
template <unsigned char Stages> class __partitioned {
    pipeline_shared_state<thread_scope_block, Stages>* __state;
    unsigned int __producers, __consumers, __acquired, __committed, __waited, __given;
    FN static void __until(const unsigned int* count, unsigned int least) {
        while (*(volatile const unsigned int*)count < least) {}
        __fence<true>();
    }
    FN static void __count(unsigned int* count) {
        __fence<true>();
        __fetch_add<true>(count, 1u);
    }
public:
    FN __partitioned(pipeline_shared_state<thread_scope_block, Stages>* state, unsigned int producers, unsigned int consumers)
        : __state(state), __producers(producers), __consumers(consumers), __acquired(0), __committed(0), __waited(0), __given(0) {}
    FN void producer_acquire() {
        __until(&__state->__released[__acquired % Stages], __acquired / Stages * __consumers);
        ++__acquired;
    }
    FN void producer_commit() { __count(&__state->__filled[__committed++ % Stages]); }
    FN void consumer_wait() {
        __until(&__state->__filled[__waited % Stages], (__waited / Stages + 1) * __producers);
        ++__waited;
    }
    FN void consumer_release() { __count(&__state->__released[__given++ % Stages]); }
    FN void quit() {}
};
template <unsigned char Stages>
FN __partitioned<Stages> make_pipeline(const cooperative_groups::thread_block& block, pipeline_shared_state<thread_scope_block, Stages>* state, pipeline_role role) {
    if (block.thread_rank() == 0)
        for (int i = 0; i < Stages; ++i) state->__filled[i] = state->__released[i] = 0;
    const unsigned int producers = __syncthreads_count(role == pipeline_role::producer);
    return __partitioned<Stages>(state, producers, block.size() - producers);
}
template <unsigned char Stages>
FN __partitioned<Stages> make_pipeline(const cooperative_groups::thread_block& block, pipeline_shared_state<thread_scope_block, Stages>* state, size_t producers) {
    return make_pipeline(block, state, block.thread_rank() < producers ? pipeline_role::producer : pipeline_role::consumer);
}
template <unsigned int N, thread_scope Scope> FN void pipeline_consumer_wait_prior(pipeline<Scope>& pipe) { pipe.consumer_wait(); }
template <unsigned int N> FN void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& pipe) {
    __pipeline_wait_prior(N);
    if (pipe.__committed - pipe.__waited > N) pipe.__waited = pipe.__committed - N;
}

// Whether the copies of a synchronisation object are the thread's own `cp.async`.
template <typename Sync> struct __by_cp_async { static constexpr bool value = false; };
template <> struct __by_cp_async<pipeline<thread_scope_thread>> { static constexpr bool value = true; };

template <typename T, typename Sync> FN void memcpy_async(T* to, const T* from, size_t bytes, Sync&) {
    if constexpr (__by_cp_async<Sync>::value) __begun_by(0, 1, to, from, bytes);
    else __copied<T>(to, from, bytes);
}
template <typename T, size_t A, typename Sync> FN void memcpy_async(T* to, const T* from, aligned_size_t<A> bytes, Sync&) {
    if constexpr (__by_cp_async<Sync>::value) __begun_by(0, 1, to, from, bytes.value);
    else if constexpr (A % 16 == 0) __copied<int4>(to, from, bytes.value);
    else if constexpr (A % 8 == 0) __copied<int2>(to, from, bytes.value);
    else if constexpr (A % 4 == 0) __copied<int>(to, from, bytes.value);
    else __copied<char>(to, from, bytes.value);
}
template <typename G, typename T, typename Sync> FN void memcpy_async(const G& group, T* to, const T* from, size_t bytes, Sync&) {
    if constexpr (__by_cp_async<Sync>::value) __begun_by(group.thread_rank(), group.size(), to, from, bytes);
    else __copied_by(group.thread_rank(), group.size(), to, from, bytes);
}
template <typename G, typename T, size_t A, typename Sync>
FN void memcpy_async(const G& group, T* to, const T* from, aligned_size_t<A> bytes, Sync& sync) {
    memcpy_async(group, to, from, bytes.value, sync);
}
}
#undef FN
#endif
