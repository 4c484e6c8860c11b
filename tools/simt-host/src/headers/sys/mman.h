// <sys/mman.h>: anonymous memory only; mapping a file fails with MAP_FAILED.
#pragma once
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 32
#define MAP_ANON MAP_ANONYMOUS
#define MAP_FAILED ((void*)-1)

inline void* mmap(void* where, size_t bytes, int protection, int flags, int file, off_t at) {
    if (bytes == 0 || !(flags & MAP_ANONYMOUS)) {
        errno = bytes == 0 ? 22 : 19;
        return MAP_FAILED;
    }
    void* memory = calloc(1, bytes);
    return memory ? memory : MAP_FAILED;
}
inline int munmap(void* memory, size_t bytes) {
    free(memory);
    return 0;
}
