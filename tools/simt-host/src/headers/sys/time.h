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
inline int gettimeofday(struct timeval* to, void* zone) {
    long long now = __host_now() / 1000LL;
    to->tv_sec = (time_t)(now / 1000000LL);
    to->tv_usec = (long)(now % 1000000LL);
    return 0;
}
