// <sys/stat.h>: files with their size, and folders.
#pragma once
#include <stdio.h>
#include <sys/types.h>

typedef unsigned int mode_t;
struct stat {
    mode_t st_mode;
    long st_size;
};
#define S_IFMT 0170000
#define S_IFREG 0100000
#define S_IFDIR 0040000
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 0070
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXO 0007
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
inline int mkdir(const char* path, mode_t mode) { return __host_file_change(0, path, path); }
inline int __stat(const char* path, struct stat* to) {
    long long found = __host_file_find(path);
    if (found == -1) return -1;
    to->st_mode = found == -2 ? S_IFDIR | 0755 : S_IFREG | 0644;
    to->st_size = found == -2 ? 4096 : found;
    return 0;
}
inline int fstat(int file, struct stat* to) {
    long at = file > 2 ? (long)__host_ftell(file) : 0;
    to->st_mode = file > 2 ? S_IFREG | 0644 : 0020620;
    to->st_size = 0;
    if (at < 0) return -1;
    if (file > 2) {
        __host_fseek(file, 0, SEEK_END);
        to->st_size = (long)__host_ftell(file);
        __host_fseek(file, at, SEEK_SET);
    }
    return 0;
}
#define stat(path, to) __stat(path, to)
#define lstat(path, to) __stat(path, to)
