// cuda-samples' <multithreading.h>, over <pthread.h>.
#pragma once
#include <pthread.h>

typedef pthread_t CUTThread;
typedef void* (*CUT_THREADROUTINE)(void*);
#define CUT_THREADPROC void*
#define CUT_THREADEND return 0

struct CUTBarrier {
    int releaseCount, count;
};
inline CUTThread cutStartThread(CUT_THREADROUTINE start, void* data) {
    pthread_t thread;
    pthread_create(&thread, nullptr, start, data);
    return thread;
}
inline void cutEndThread(CUTThread thread) { pthread_join(thread, nullptr); }
inline void cutDestroyThread(CUTThread thread) {}
inline void cutWaitForThreads(const CUTThread* threads, int count) {
    for (int i = 0; i < count; ++i) cutEndThread(threads[i]);
}
inline CUTBarrier cutCreateBarrier(int releaseCount) {
    CUTBarrier barrier = {releaseCount, 0};
    return barrier;
}
inline void cutIncrementBarrier(CUTBarrier* barrier) { barrier->count++; }
inline void cutWaitForBarrier(CUTBarrier* barrier) {
    if (barrier->count < barrier->releaseCount) __host_refuse("waiting for another thread: threads run one after the other");
}
inline void cutDestroyBarrier(CUTBarrier* barrier) {}
