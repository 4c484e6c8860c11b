// <cuda/barrier>: a split barrier, with separate calls to arrive and to wait. A thread that arrives
// fences its writes; the last one advances the phase. A waiting thread spins until the phase changes:
// it does not sleep, and waits for ever if an arrival is missing.
#ifndef __BARRIER_TEXT
#define __BARRIER_TEXT
#include <cuda/pipeline>
#define FN __device__ __forceinline__
#define NEAR (Scope >= thread_scope_block)

namespace cuda {
template <thread_scope Scope = thread_scope_system> class barrier {
    unsigned int __expected, __pending, __phase;
    FN unsigned int __now() const { return *(volatile const unsigned int*)&__phase; }
public:
    struct arrival_token { unsigned int __phase; };
    barrier() = default;
    FN explicit barrier(ptrdiff_t expected) : __expected((unsigned int)expected), __pending((unsigned int)expected), __phase(0) {}
    barrier(const barrier&) = delete;
    FN arrival_token arrive(ptrdiff_t n = 1) {
        arrival_token token;
        token.__phase = __now();
        __fence<NEAR>();
        if (__fetch_sub<NEAR>(&__pending, (unsigned int)n) == (unsigned int)n) {
            __fence<NEAR>();
            __put<NEAR>(&__pending, *(volatile unsigned int*)&__expected);
            __fence<NEAR>();
            __put<NEAR>(&__phase, token.__phase + 1);
        }
        return token;
    }
    FN bool __over(arrival_token token) const { return __now() != token.__phase; }
    FN void wait(arrival_token token) const {
        while (!__over(token)) {}
        __fence<NEAR>();
    }
    FN void arrive_and_wait() { wait(arrive()); }
    FN void arrive_and_drop() {
        __fetch_sub<NEAR>(&__expected, 1u);
        arrive();
    }
    FN bool try_wait(arrival_token token) const {
        const bool over = __over(token);
        __fence<NEAR>();
        return over;
    }
    static FN ptrdiff_t max() { return 0xfffff; }
};
template <thread_scope Scope> FN void init(barrier<Scope>* at, ptrdiff_t expected) { new (at) barrier<Scope>(expected); }
namespace std { template <typename Unused = void> using barrier = cuda::barrier<thread_scope_system>; }
}
#undef NEAR
#undef FN
#endif
