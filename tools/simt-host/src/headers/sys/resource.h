// <sys/resource.h>: the time of the process. Its memory and its faults are not counted: they are 0.
#pragma once
#include <sys/time.h>

#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
#define RUSAGE_THREAD 1
struct rusage {
    struct timeval ru_utime, ru_stime;
    long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock;
    long ru_msgsnd, ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};
inline int getrusage(int who, struct rusage* to) {
    *to = rusage();
    if (who == RUSAGE_CHILDREN) return 0;
    long long now = 1000000LL * clock() / CLOCKS_PER_SEC;
    to->ru_utime.tv_sec = (time_t)(now / 1000000LL);
    to->ru_utime.tv_usec = (long)(now % 1000000LL);
    return 0;
}
