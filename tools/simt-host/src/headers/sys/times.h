// <sys/times.h>: the time of the process, in hundredths of a second.
#pragma once
#include <time.h>

struct tms {
    clock_t tms_utime;
    clock_t tms_stime;
    clock_t tms_cutime;
    clock_t tms_cstime;
};
inline clock_t times(struct tms* into) {
    clock_t now = clock() / (CLOCKS_PER_SEC / 100);
    if (into) {
        into->tms_utime = now;
        into->tms_stime = into->tms_cutime = into->tms_cstime = 0;
    }
    return now;
}
