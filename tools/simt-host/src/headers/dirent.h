// <dirent.h>: the names in a folder, in their order.
#pragma once
#include <stddef.h>

#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_REG 8
struct dirent {
    unsigned long d_ino;
    unsigned char d_type;
    char d_name[256];
};
struct DIR {
    char* path;
    char* names;
    char* next;
    struct dirent entry;
};
inline DIR* opendir(const char* path) {
    char* names = (char*)__host_file_names(path);
    if (!names) return nullptr;
    size_t bytes = __host_strlen(path) + 1;
    DIR* folder = (DIR*)__host_malloc(sizeof(DIR));
    folder->path = (char*)__host_malloc(bytes);
    __host_memmove(folder->path, path, bytes);
    folder->names = folder->next = names;
    folder->entry.d_ino = 0;
    return folder;
}
inline struct dirent* readdir(DIR* folder) {
    struct dirent* entry = &folder->entry;
    size_t n = 0;
    // The folder itself and the one around it come first.
    if (entry->d_ino < 2) {
        n = entry->d_ino + 1;
        __host_memset(entry->d_name, '.', n);
        entry->d_type = DT_DIR;
    } else {
        if (!*folder->next) return nullptr;
        while (folder->next[n] != '/') ++n;
        if (n > 255) n = 255;
        __host_memmove(entry->d_name, folder->next, n);
        while (*folder->next++ != '/') {}
        size_t before = __host_strlen(folder->path);
        char* whole = (char*)__host_malloc(before + n + 2);
        __host_memmove(whole, folder->path, before);
        whole[before] = '/';
        __host_memmove(whole + before + 1, entry->d_name, n);
        whole[before + 1 + n] = 0;
        entry->d_type = __host_file_find(whole) == -2 ? DT_DIR : DT_REG;
        __host_free(whole);
    }
    entry->d_name[n] = 0;
    ++entry->d_ino;
    return entry;
}
inline void rewinddir(DIR* folder) {
    folder->next = folder->names;
    folder->entry.d_ino = 0;
}
inline int closedir(DIR* folder) {
    __host_free(folder->path);
    __host_free(folder->names);
    __host_free(folder);
    return 0;
}
