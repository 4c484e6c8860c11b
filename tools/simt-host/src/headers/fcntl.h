// <fcntl.h>: files by their numbers, over those of <stdio.h>.
#pragma once
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_ACCMODE 3
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_SYNC 04010000
#define O_CLOEXEC 02000000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000

inline int __open(const char* path, int flags, mode_t mode = 0) {
    long long found = __host_file_find(path);
    if (found == -1 && !(flags & O_CREAT)) {
        errno = ENOENT;
        return -1;
    }
    if (found != -1 && (flags & O_CREAT) && (flags & O_EXCL)) {
        errno = EEXIST;
        return -1;
    }
    const int how = flags & O_ACCMODE;
    if (found != -2 && (flags & O_DIRECTORY)) {
        errno = ENOTDIR;
        return -1;
    }
    if (found == -2 && how != O_RDONLY) {
        errno = EISDIR;
        return -1;
    }
    if (found == -2) return __FOLDER;
    if (how == O_RDONLY && found != -1) return __host_fopen(path, "rb");
    if (flags & O_APPEND) return __host_fopen(path, how == O_RDWR ? "a+b" : "ab");
    return __host_fopen(path, found == -1 || (flags & O_TRUNC) ? "w+b" : "r+b");
}
// The mode is one of the arguments behind `...`, so what is no number is taken, too.
template <typename M> inline int __open(const char* path, int flags, const M* mode) { return __open(path, flags, (mode_t)(size_t)mode); }
#define open(...) __open(__VA_ARGS__)
inline int creat(const char* path, mode_t mode) { return __open(path, O_WRONLY | O_CREAT | O_TRUNC, mode); }
