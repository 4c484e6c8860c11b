// <sys/time.h>.
#pragma once
#include <time.h>

struct timeval {
    time_t tv_sec;
    long tv_usec;
};
struct timezone {
    int tz_minuteswest, tz_dsttime;
};
// What glibc defines as macros of the names `timersub` and so on.
inline void timersub(const struct timeval* a, const struct timeval* b, struct timeval* to) {
    to->tv_sec = a->tv_sec - b->tv_sec;
    to->tv_usec = a->tv_usec - b->tv_usec;
    if (to->tv_usec < 0) {
        --to->tv_sec;
        to->tv_usec += 1000000;
    }
}
inline void timeradd(const struct timeval* a, const struct timeval* b, struct timeval* to) {
    to->tv_sec = a->tv_sec + b->tv_sec;
    to->tv_usec = a->tv_usec + b->tv_usec;
    if (to->tv_usec >= 1000000) {
        ++to->tv_sec;
        to->tv_usec -= 1000000;
    }
}
inline void timerclear(struct timeval* t) { t->tv_sec = t->tv_usec = 0; }
inline bool timerisset(const struct timeval* t) { return t->tv_sec || t->tv_usec; }
#define timercmp(a, b, op) \
    ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op (b)->tv_usec : (a)->tv_sec op (b)->tv_sec)
inline int gettimeofday(struct timeval* to, void* zone) {
    long long now = __host_now() / 1000LL;
    to->tv_sec = (time_t)(now / 1000000LL);
    to->tv_usec = (long)(now % 1000000LL);
    return 0;
}
