// <cuda/semaphore> and <cuda/latch>. A waiting thread spins.
#ifndef __SEMAPHORE_TEXT
#define __SEMAPHORE_TEXT
#include <cuda/atomic>
#define FN __device__ __forceinline__
#define NEAR (Scope >= thread_scope_block)

namespace cuda {
template <thread_scope Scope = thread_scope_system, ptrdiff_t Most = 0x7fffffff> class counting_semaphore {
    int __count;
public:
    counting_semaphore() = default;
    FN explicit counting_semaphore(ptrdiff_t count) : __count((int)count) {}
    counting_semaphore(const counting_semaphore&) = delete;
    FN bool try_acquire() {
        int now = *(volatile int*)&__count;
        while (now > 0) {
            const int old = __swap_if<NEAR>(&__count, now, now - 1);
            if (old == now) {
                __fence<NEAR>();
                return true;
            }
            now = old;
        }
        return false;
    }
    FN void acquire() {
        while (!try_acquire()) {}
    }
    FN void release(ptrdiff_t n = 1) {
        __fence<NEAR>();
        __fetch_add<NEAR>(&__count, (int)n);
    }
    static FN constexpr ptrdiff_t max() { return Most; }
};
template <thread_scope Scope = thread_scope_system> using binary_semaphore = counting_semaphore<Scope, 1>;

template <thread_scope Scope = thread_scope_system> class latch {
    unsigned int __left;
public:
    latch() = default;
    FN explicit latch(ptrdiff_t count) : __left((unsigned int)count) {}
    latch(const latch&) = delete;
    FN void count_down(ptrdiff_t n = 1) {
        __fence<NEAR>();
        __fetch_sub<NEAR>(&__left, (unsigned int)n);
    }
    FN bool try_wait() const {
        const bool over = *(volatile const unsigned int*)&__left == 0;
        __fence<NEAR>();
        return over;
    }
    FN void wait() const {
        while (*(volatile const unsigned int*)&__left != 0) {}
        __fence<NEAR>();
    }
    FN void arrive_and_wait(ptrdiff_t n = 1) {
        count_down(n);
        wait();
    }
};
template <thread_scope Scope> FN void init(latch<Scope>* at, ptrdiff_t expected) { new (at) latch<Scope>(expected); }
namespace std {
template <ptrdiff_t Most = 0x7fffffff> using counting_semaphore = cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = cuda::binary_semaphore<thread_scope_system>;
using latch = cuda::latch<thread_scope_system>;
}
}
#undef NEAR
#undef FN
#endif
