// <pthread.h>. Threads run one after another: each runs to its end when it is created (<thread>).
#pragma once
#include <stdlib.h>
#include <time.h>

typedef unsigned long pthread_t;
typedef int pthread_attr_t;
typedef int pthread_mutexattr_t;
typedef int pthread_condattr_t;
typedef int pthread_barrierattr_t;
struct pthread_mutex_t {
    int held;
};
struct pthread_cond_t {
    int unused;
};
struct pthread_barrier_t {
    unsigned int count;
};
#define PTHREAD_MUTEX_INITIALIZER {0}
#define PTHREAD_COND_INITIALIZER {0}
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1

// The result of each thread, by its number minus 2; number 1 is `main`.
static void** __thread_results = nullptr;
static unsigned long __threads = 0;
static unsigned long __thread_now = 1;
inline int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
    unsigned long number = __threads++, before = __thread_now;
    __thread_results = (void**)realloc(__thread_results, __threads * sizeof(void*));
    *thread = number + 2;
    __thread_now = number + 2;
    __host_thread(1);
    void* result = start(argument);
    __host_thread(0);
    __thread_results[number] = result;
    __thread_now = before;
    return 0;
}
inline int pthread_join(pthread_t thread, void** result) {
    if (thread < 2 || thread - 2 >= __threads) return 3;
    if (result) *result = __thread_results[thread - 2];
    return 0;
}
inline int pthread_detach(pthread_t thread) { return 0; }
inline int pthread_cancel(pthread_t thread) { return 0; }
inline void pthread_exit(void* result) { __host_refuse("`pthread_exit`"); }
inline pthread_t pthread_self() { return __thread_now; }
inline int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
inline int pthread_attr_init(pthread_attr_t* a) { return 0; }
inline int pthread_attr_destroy(pthread_attr_t* a) { return 0; }
inline int pthread_attr_setdetachstate(pthread_attr_t* a, int state) { return 0; }
inline int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* a) {
    m->held = 0;
    return 0;
}
inline int pthread_mutex_destroy(pthread_mutex_t* m) { return 0; }
inline int pthread_mutex_lock(pthread_mutex_t* m) {
    if (m->held) __host_refuse("waiting for a mutex: threads run one after the other");
    m->held = 1;
    return 0;
}
inline int pthread_mutex_trylock(pthread_mutex_t* m) {
    if (m->held) return 16;
    m->held = 1;
    return 0;
}
inline int pthread_mutex_unlock(pthread_mutex_t* m) {
    m->held = 0;
    return 0;
}
inline int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* a) { return 0; }
inline int pthread_cond_destroy(pthread_cond_t* c) { return 0; }
inline int pthread_cond_signal(pthread_cond_t* c) { return 0; }
inline int pthread_cond_broadcast(pthread_cond_t* c) { return 0; }
inline int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
    __host_refuse("waiting for another thread: threads run one after the other");
    return 0;
}
inline int pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* a, unsigned int count) {
    b->count = count;
    return 0;
}
inline int pthread_barrier_destroy(pthread_barrier_t* b) { return 0; }
inline int pthread_barrier_wait(pthread_barrier_t* b) {
    if (b->count > 1) __host_refuse("waiting for another thread: threads run one after the other");
    return -1;
}
