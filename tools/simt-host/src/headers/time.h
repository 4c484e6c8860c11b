// <time.h>.
#pragma once
#include <stddef.h>

typedef long time_t;
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIME_UTC 1
typedef int clockid_t;

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
inline time_t time(time_t* to) {
    time_t now = (time_t)(__host_now() / 1000000000LL);
    if (to) *to = now;
    return now;
}
// The time of the program counts as the processor's, without its pauses.
static const long long __clock_begin = __host_now();
inline clock_t clock() { return (clock_t)((__host_now() - __host_sleep(0, 0) - __clock_begin) / 1000LL); }
inline int clock_gettime(int which, struct timespec* to) {
    long long now = __host_now();
    to->tv_sec = (time_t)(now / 1000000000LL);
    to->tv_nsec = (long)(now % 1000000000LL);
    return 0;
}
inline int clock_getres(int which, struct timespec* to) {
    if (to) {
        to->tv_sec = 0;
        to->tv_nsec = 1;
    }
    return 0;
}
inline int timespec_get(struct timespec* to, int base) { return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, to) == 0 ? base : 0; }
inline double difftime(time_t end, time_t start) { return (double)(end - start); }
inline int nanosleep(const struct timespec* how_long, struct timespec* rest) {
    __host_sleep(how_long->tv_sec * 1000000000LL + how_long->tv_nsec, 0);
    if (rest) rest->tv_sec = rest->tv_nsec = 0;
    return 0;
}

// The calendar, in UTC: the time zone is UTC on every machine.
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
// The point in time of a calendar's parts, each of which may be too large; sets them all.
inline time_t timegm(struct tm* t) {
    long year = 1900L + t->tm_year, month = t->tm_mon;
    year += month / 12;
    month %= 12;
    if (month < 0) {
        month += 12;
        --year;
    }
    // Days of years that begin in March, in eras of 400 years.
    long y = month < 2 ? year - 1 : year, era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    long of_year = (153 * (month < 2 ? month + 10 : month - 2) + 2) / 5 + t->tm_mday - 1;
    long days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    time_t when = ((days * 24 + t->tm_hour) * 60 + t->tm_min) * 60 + t->tm_sec;
    gmtime_r(&when, t);
    return when;
}
inline time_t mktime(struct tm* t) { return timegm(t); }
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
inline int __time_piece(char* to, size_t room, char what, const struct tm* t) {
    const char* days[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
    const char* months[12] = {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"};
    int hour = t->tm_hour % 12 == 0 ? 12 : t->tm_hour % 12, year = 1900 + t->tm_year;
    switch (what) {
        case 'Y': return __host_snprintf(to, room, "%d", year);
        case 'y': return __host_snprintf(to, room, "%.2d", year % 100);
        case 'm': return __host_snprintf(to, room, "%.2d", t->tm_mon + 1);
        case 'd': return __host_snprintf(to, room, "%.2d", t->tm_mday);
        case 'e': return __host_snprintf(to, room, "%2d", t->tm_mday);
        case 'H': return __host_snprintf(to, room, "%.2d", t->tm_hour);
        case 'I': return __host_snprintf(to, room, "%.2d", hour);
        case 'M': return __host_snprintf(to, room, "%.2d", t->tm_min);
        case 'S': return __host_snprintf(to, room, "%.2d", t->tm_sec);
        case 'j': return __host_snprintf(to, room, "%.3d", t->tm_yday + 1);
        case 'w': return __host_snprintf(to, room, "%d", t->tm_wday);
        case 'a': return __host_snprintf(to, room, "%.3s", days[t->tm_wday]);
        case 'A': return __host_snprintf(to, room, "%s", days[t->tm_wday]);
        case 'b':
        case 'h': return __host_snprintf(to, room, "%.3s", months[t->tm_mon]);
        case 'B': return __host_snprintf(to, room, "%s", months[t->tm_mon]);
        case 'p': return __host_snprintf(to, room, "%s", t->tm_hour < 12 ? "AM" : "PM");
        case 'F': return __host_snprintf(to, room, "%d-%.2d-%.2d", year, t->tm_mon + 1, t->tm_mday);
        case 'D':
        case 'x': return __host_snprintf(to, room, "%.2d/%.2d/%.2d", t->tm_mon + 1, t->tm_mday, year % 100);
        case 'T':
        case 'X': return __host_snprintf(to, room, "%.2d:%.2d:%.2d", t->tm_hour, t->tm_min, t->tm_sec);
        case 'R': return __host_snprintf(to, room, "%.2d:%.2d", t->tm_hour, t->tm_min);
        case 'c': return __host_snprintf(to, room, "%.3s %.3s %2d %.2d:%.2d:%.2d %d", days[t->tm_wday], months[t->tm_mon], t->tm_mday, t->tm_hour, t->tm_min, t->tm_sec, year);
        case 'z': return __host_snprintf(to, room, "+0000");
        case 'Z': return __host_snprintf(to, room, "UTC");
        case 'n': return __host_snprintf(to, room, "\n");
        case 't': return __host_snprintf(to, room, "\t");
        case '%': return __host_snprintf(to, room, "%%");
        default: return __host_snprintf(to, room, "%%%c", what);
    }
}
inline size_t strftime(char* to, size_t room, const char* format, const struct tm* t) {
    size_t n = 0;
    for (const char* p = format; *p; ++p) {
        char piece[64] = {*p, 0};
        size_t length = 1;
        if (*p == '%' && p[1]) length = (size_t)__time_piece(piece, sizeof piece, *++p, t);
        if (n + length >= room) return 0;
        for (size_t i = 0; i < length; ++i) to[n++] = piece[i];
    }
    if (room == 0) return 0;
    to[n] = 0;
    return n;
}

namespace std {
using ::clock_t;
using ::time_t;
using ::timespec;
using ::tm;
}
