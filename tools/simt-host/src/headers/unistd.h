// <unistd.h>. A pause returns at once, and the clocks go on by its time.
#pragma once
#if __has_include(<getopt.h>)
#include <getopt.h>
#endif
#include <stddef.h>

typedef long ssize_t;
typedef int pid_t;
inline int usleep(unsigned int microseconds) {
    __host_sleep(microseconds * 1000LL, 0);
    return 0;
}
inline unsigned int sleep(unsigned int seconds) {
    __host_sleep(seconds * 1000000000LL, 0);
    return 0;
}
inline pid_t getpid() { return 1; }
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
// One processor, as `hardware_concurrency` says, and 16 GiB of memory.
inline long sysconf(int of) {
    if (of == _SC_PAGESIZE) return 4096;
    if (of == _SC_NPROCESSORS_CONF || of == _SC_NPROCESSORS_ONLN) return 1;
    return of == _SC_PHYS_PAGES || of == _SC_AVPHYS_PAGES ? 4194304 : -1;
}
inline int getpagesize() { return 4096; }
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
inline ssize_t read(int file, void* to, size_t bytes) { return (ssize_t)__host_fread(to, bytes, file); }
inline ssize_t write(int file, const void* from, size_t bytes) {
    return bytes && __host_fwrite(from, bytes, file) == 0 ? -1 : (ssize_t)bytes;
}
inline long lseek(int file, long by, int from) { return __host_fseek(file, by, from) == 0 ? (long)__host_ftell(file) : -1; }
// The number of every open folder.
#define __FOLDER 0x40000000
inline int close(int file) { return file == __FOLDER ? 0 : file > 2 ? __host_fclose(file) : 0; }
inline int fsync(int file) { return __host_fflush(file); }
inline pid_t fork() {
    __host_refuse("`fork`: a program is one process");
    return -1;
}
inline int isatty(int file) { return 0; }

#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
inline int access(const char* path, int mode) { return __host_file_find(path) == -1 ? -1 : 0; }
inline int unlink(const char* path) {
    if (__host_file_find(path) == -2) {
        *(int*)__errno_location() = 21;
        return -1;
    }
    return __host_file_change(1, path, path);
}
inline int rmdir(const char* path) {
    if (__host_file_find(path) >= 0) {
        *(int*)__errno_location() = 20;
        return -1;
    }
    return __host_file_change(1, path, path);
}
inline char* getcwd(char* to, size_t room) {
    char* here = (char*)__host_file_names(nullptr);
    size_t bytes = __host_strlen(here) + 1;
    if (!to) return here;
    if (bytes > room) {
        *(int*)__errno_location() = 34;
        to = nullptr;
    } else {
        __host_memmove(to, here, bytes);
    }
    __host_free(here);
    return to;
}
