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

// The calendar, in universal time: the zone of a machine is no part of a program.
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};
inline struct tm* gmtime_r(const time_t* when, struct tm* to) {
    long days = *when / 86400, rest = *when % 86400;
    if (rest < 0) {
        rest += 86400;
        --days;
    }
    to->tm_hour = (int)(rest / 3600);
    to->tm_min = (int)(rest / 60 % 60);
    to->tm_sec = (int)(rest % 60);
    to->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
    long year = 1970;
    for (;;) {
        bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        long length = leap ? 366 : 365;
        if (days < 0) {
            --year;
            leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
            days += leap ? 366 : 365;
        } else if (days >= length) {
            days -= length;
            ++year;
        } else {
            int months[12] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
            to->tm_yday = (int)days;
            to->tm_mon = 0;
            while (days >= months[to->tm_mon]) days -= months[to->tm_mon++];
            to->tm_mday = (int)days + 1;
            break;
        }
    }
    to->tm_year = (int)(year - 1900);
    to->tm_isdst = 0;
    return to;
}
static struct tm __time_parts;
inline struct tm* gmtime(const time_t* when) { return gmtime_r(when, &__time_parts); }
inline struct tm* localtime(const time_t* when) { return gmtime_r(when, &__time_parts); }
inline struct tm* localtime_r(const time_t* when, struct tm* to) { return gmtime_r(when, to); }
static char __time_text[32];
inline char* asctime(const struct tm* t) {
    const char* days = "SunMonTueWedThuFriSat";
    const char* months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    __host_snprintf(__time_text, 32, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", days + 3 * t->tm_wday, months + 3 * t->tm_mon, t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec, 1900 + t->tm_year);
    return __time_text;
}
inline char* ctime(const time_t* when) { return asctime(gmtime(when)); }
