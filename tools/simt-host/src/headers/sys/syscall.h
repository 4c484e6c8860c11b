// <sys/syscall.h>: what programs ask about themselves; other calls are refused.
#pragma once
#include <unistd.h>

#define SYS_getpid 39
#define SYS_gettid 186
#define __NR_getpid SYS_getpid
#define __NR_gettid SYS_gettid
template <typename... A> inline long __syscall(long number, A...) {
    if (number != SYS_getpid && number != SYS_gettid) __host_refuse("a system call other than SYS_getpid and SYS_gettid");
    return getpid();
}
#define syscall(...) __syscall(__VA_ARGS__)
