// <sys/stat.h>: every folder exists, and files have a size.
#pragma once
#include <stdio.h>
#include <sys/types.h>

typedef unsigned int mode_t;
struct stat {
    mode_t st_mode;
    long st_size;
};
#define S_IRWXU 0700
#define S_IRWXG 0070
#define S_IRWXO 0007
#define S_ISREG(mode) (((mode) & 0170000) == 0100000)
#define S_ISDIR(mode) (((mode) & 0170000) == 0040000)
inline int mkdir(const char* path, mode_t mode) { return 0; }
inline int __stat(const char* path, struct stat* to) {
    FILE* file = fopen(path, "rb");
    if (!file) return -1;
    fseek(file, 0, SEEK_END);
    to->st_mode = 0100644;
    to->st_size = ftell(file);
    fclose(file);
    return 0;
}
#define stat(path, to) __stat(path, to)
