// Atomics with a memory order and a scope: <cuda/atomic>, and the compiler's __nv_atomic functions.
// Each is one of CUDA's classic atomics, with the fences that its order needs. The device scope and
// the system scope are the same here. The host has one thread at a time: there each is a plain access.
#ifndef __ATOMIC_TEXT
#define __ATOMIC_TEXT
#define FN __host__ __device__ __forceinline__
#define HOST constexpr (__builtin_on_host)
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

// A fence for the block (`near`) or for the device.
template <bool near> FN void __fence() {
    if HOST return;
    else if constexpr (near) __threadfence_block();
    else __threadfence();
}
template <bool near> FN void __before(int order) { if (order >= __NV_ATOMIC_RELEASE) __fence<near>(); }
template <bool near> FN void __after(int order) {
    if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE) __fence<near>();
}

// An operation on T, done by the one on A, which has the same bits; the host computes the result.
#define DO(name, function, T, A, to, back, result) \
    template <bool near> FN T name(T* p, T v) { \
        if HOST { \
            const T old = *p; \
            *p = result; \
            return old; \
        } else if constexpr (near) return back(function##_block((A*)p, to(v))); \
        else return back(function((A*)p, to(v))); \
    }
#define SWAP(T, A, to, back) \
    DO(__exchange, atomicExch, T, A, to, back, v) \
    template <bool near> FN void __put(T* p, T v) { \
        if HOST *p = v; \
        else if constexpr (near) atomicExch_block((A*)p, to(v)); \
        else atomicExch((A*)p, to(v)); \
    } \
    template <bool near> FN T __swap_if(T* p, T expected, T v) { \
        if HOST { \
            const T old = *p; \
            if (old == expected) *p = v; \
            return old; \
        } else if constexpr (near) return back(atomicCAS_block((A*)p, to(expected), to(v))); \
        else return back(atomicCAS((A*)p, to(expected), to(v))); \
    }
#define WHOLE(T, A, M) \
    SWAP(T, A, (A), (T)) \
    DO(__fetch_add, atomicAdd, T, A, (A), (T), old + v) \
    DO(__fetch_and, atomicAnd, T, A, (A), (T), old & v) \
    DO(__fetch_or, atomicOr, T, A, (A), (T), old | v) \
    DO(__fetch_xor, atomicXor, T, A, (A), (T), old ^ v) \
    DO(__fetch_min, atomicMin, T, M, (M), (T), v < old ? v : old) \
    DO(__fetch_max, atomicMax, T, M, (M), (T), old < v ? v : old) \
    template <bool near> FN T __fetch_sub(T* p, T v) { return __fetch_add<near>(p, (T)(0 - v)); }
#define REAL(T, A, to, back) \
    SWAP(T, A, to, back) \
    DO(__fetch_add, atomicAdd, T, T, (T), (T), old + v) \
    template <bool near> FN T __fetch_sub(T* p, T v) { return __fetch_add<near>(p, -v); }
WHOLE(int, int, int)
WHOLE(unsigned int, unsigned int, unsigned int)
WHOLE(long long, unsigned long long, long long)
WHOLE(unsigned long long, unsigned long long, unsigned long long)
WHOLE(long, unsigned long long, long long)
WHOLE(unsigned long, unsigned long long, unsigned long long)
REAL(float, unsigned int, __float_as_uint, __uint_as_float)
REAL(double, unsigned long long, (unsigned long long)__double_as_longlong, __longlong_as_double)
#undef REAL
#undef WHOLE
#undef SWAP
#undef DO

// An object of a class of 4 or 8 bytes, as a word.
template <unsigned long Size> struct __word {
    static_assert(Size == 8, "an atomic object has 4 or 8 bytes");
    typedef unsigned long long type;
};
template <> struct __word<4> { typedef unsigned int type; };
template <typename T> FN typename __word<sizeof(T)>::type __as_word(const T& v) {
    typename __word<sizeof(T)>::type word = 0;
    *(T*)&word = v;
    return word;
}
#define WORD typename __word<sizeof(T)>::type
template <bool near, typename T> FN void __put(T* p, T v) { __put<near>((WORD*)p, __as_word(v)); }
template <bool near, typename T> FN T __exchange(T* p, T v) {
    const WORD old = __exchange<near>((WORD*)p, __as_word(v));
    return *(const T*)&old;
}

template <bool near, typename T> FN T __load(T* p, int order) {
    if constexpr (__is_class(T)) {
        const WORD word = __load<near>((WORD*)p, order);
        return *(const T*)&word;
    } else {
        if (order == __NV_ATOMIC_SEQ_CST) __fence<near>();
        const T v = *(volatile T*)p;
        __after<near>(order);
        return v;
    }
}
template <bool near, typename T> FN void __store(T* p, T v, int order) {
    __before<near>(order);
    __put<near>(p, v);
}
template <bool near, typename T> FN bool __compare_exchange(T* p, T& expected, T v, int order) {
    if constexpr (__is_class(T)) {
        WORD word = __as_word(expected);
        const bool same = __compare_exchange<near>((WORD*)p, word, __as_word(v), order);
        if (!same) expected = *(const T*)&word;
        return same;
    } else {
        __before<near>(order);
        const T old = __swap_if<near>(p, expected, v);
        __after<near>(order);
        const bool same = old == expected;
        if (!same) expected = old;
        return same;
    }
}
#undef WORD

// The compiler's functions, whose scope is an argument.
template <typename T> FN T __nv_atomic_load_n(T* p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (scope <= __NV_THREAD_SCOPE_BLOCK) return __load<true>(p, order);
    return __load<false>(p, order);
}
template <typename T> FN void __nv_atomic_load(T* p, T* to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    *to = __nv_atomic_load_n(p, order, scope);
}
template <typename T, typename V> FN void __nv_atomic_store_n(T* p, V v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (scope <= __NV_THREAD_SCOPE_BLOCK) __store<true>(p, (T)v, order);
    else __store<false>(p, (T)v, order);
}
template <typename T> FN void __nv_atomic_store(T* p, T* v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    __nv_atomic_store_n(p, *v, order, scope);
}
template <typename T, typename V>
FN bool __nv_atomic_compare_exchange_n(T* p, T* expected, V v, bool weak, int order, int failed, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (scope <= __NV_THREAD_SCOPE_BLOCK) return __compare_exchange<true>(p, *expected, (T)v, order);
    return __compare_exchange<false>(p, *expected, (T)v, order);
}
template <typename T>
FN bool __nv_atomic_compare_exchange(T* p, T* expected, T* v, bool weak, int order, int failed, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    return __nv_atomic_compare_exchange_n(p, expected, *v, weak, order, failed, scope);
}
#define FETCH(function, name) \
    template <typename T, typename V> FN T name(T* p, V v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
        if (scope <= __NV_THREAD_SCOPE_BLOCK) { \
            __before<true>(order); \
            const T old = function<true>(p, (T)v); \
            __after<true>(order); \
            return old; \
        } \
        __before<false>(order); \
        const T old = function<false>(p, (T)v); \
        __after<false>(order); \
        return old; \
    }
#define OPERATION(name) \
    FETCH(__fetch_##name, __nv_atomic_fetch_##name) \
    template <typename T, typename V> FN void __nv_atomic_##name(T* p, V v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
        __nv_atomic_fetch_##name(p, v, order, scope); \
    }
FETCH(__exchange, __nv_atomic_exchange_n)
OPERATION(add)
OPERATION(sub)
OPERATION(and)
OPERATION(or)
OPERATION(xor)
OPERATION(min)
OPERATION(max)
#undef OPERATION
#undef FETCH
FN void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    if (order == __NV_ATOMIC_RELAXED) return;
    if (scope <= __NV_THREAD_SCOPE_BLOCK) __fence<true>();
    else __fence<false>();
}

#define ORDERS \
    enum memory_order { \
        memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, \
        memory_order_acq_rel, memory_order_seq_cst \
    };
#define FETCHES(P, name) \
    FN T name(T v, memory_order order = memory_order_seq_cst) const { \
        constexpr bool near = NEAR; \
        __before<near>((int)order); \
        const T old = __##name<near>(P, v); \
        __after<near>((int)order); \
        return old; \
    }
// The members of an atomic object at address P.
#define MEMBERS(P) \
    FN T load(memory_order order = memory_order_seq_cst) const { return __load<NEAR>(P, (int)order); } \
    FN void store(T v, memory_order order = memory_order_seq_cst) const { __store<NEAR>(P, v, (int)order); } \
    FN T operator=(T v) const { store(v); return v; } \
    FN operator T() const { return load(); } \
    FETCHES(P, exchange) \
    FETCHES(P, fetch_add) FETCHES(P, fetch_sub) FETCHES(P, fetch_and) FETCHES(P, fetch_or) \
    FETCHES(P, fetch_xor) FETCHES(P, fetch_min) FETCHES(P, fetch_max) \
    FN bool compare_exchange_strong(T& expected, T v, memory_order order = memory_order_seq_cst) const { \
        return __compare_exchange<NEAR>(P, expected, v, (int)order); \
    } \
    FN bool compare_exchange_strong(T& expected, T v, memory_order order, memory_order failed) const { \
        return __compare_exchange<NEAR>(P, expected, v, (int)order); \
    } \
    FN bool compare_exchange_weak(T& expected, T v, memory_order order = memory_order_seq_cst) const { \
        return __compare_exchange<NEAR>(P, expected, v, (int)order); \
    } \
    FN bool compare_exchange_weak(T& expected, T v, memory_order order, memory_order failed) const { \
        return __compare_exchange<NEAR>(P, expected, v, (int)order); \
    } \
    FN T operator++() const { return fetch_add((T)1) + (T)1; } \
    FN T operator--() const { return fetch_sub((T)1) - (T)1; } \
    FN T operator++(int) const { return fetch_add((T)1); } \
    FN T operator--(int) const { return fetch_sub((T)1); } \
    FN T operator+=(T v) const { return fetch_add(v) + v; } \
    FN T operator-=(T v) const { return fetch_sub(v) - v; } \
    FN T operator&=(T v) const { return fetch_and(v) & v; } \
    FN T operator|=(T v) const { return fetch_or(v) | v; } \
    FN T operator^=(T v) const { return fetch_xor(v) ^ v; } \
    FN bool is_lock_free() const { return true; }

namespace cuda {
namespace std { ORDERS }
typedef std::memory_order memory_order;
#define NAMED(order) constexpr memory_order order = std::order;
NAMED(memory_order_relaxed)
NAMED(memory_order_consume)
NAMED(memory_order_acquire)
NAMED(memory_order_release)
NAMED(memory_order_acq_rel)
NAMED(memory_order_seq_cst)
#undef NAMED
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
#define NEAR (Scope >= thread_scope_block)
template <typename T, thread_scope Scope = thread_scope_system> struct atomic_ref {
    T* __p;
    FN explicit atomic_ref(T& object) { __p = &object; }
    MEMBERS(__p)
};
template <typename T, thread_scope Scope = thread_scope_system> struct atomic {
    T __value;
    MEMBERS((T*)&__value)
};
FN void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
    if (order == memory_order_relaxed) return;
    if (scope >= thread_scope_block) __fence<true>();
    else __fence<false>();
}
}
#undef NEAR
#define NEAR false
namespace cuda { namespace std {
template <typename T> struct atomic_ref {
    T* __p;
    FN explicit atomic_ref(T& object) { __p = &object; }
    MEMBERS(__p)
};
template <typename T> struct atomic {
    T __value;
    MEMBERS((T*)&__value)
};
FN void atomic_thread_fence(memory_order order) {
    if (order != memory_order_relaxed) __fence<false>();
}
} }
#undef NEAR
#undef MEMBERS
#undef FETCHES
#undef ORDERS
#undef HOST
#undef FN
#endif
