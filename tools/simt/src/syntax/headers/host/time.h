// <time.h>.
#pragma once
#include <stddef.h>

typedef long time_t;
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
inline time_t time(time_t* to) {
    time_t now = (time_t)(__host_now() / 1000000000LL);
    if (to) *to = now;
    return now;
}
inline clock_t clock() { return (clock_t)(__host_now() / 1000LL); }
inline int clock_gettime(int which, struct timespec* to) {
    long long now = __host_now();
    to->tv_sec = (time_t)(now / 1000000000LL);
    to->tv_nsec = (long)(now % 1000000000LL);
    return 0;
}
inline double difftime(time_t end, time_t start) { return (double)(end - start); }
inline int nanosleep(const struct timespec* how_long, struct timespec* rest) { return 0; }
