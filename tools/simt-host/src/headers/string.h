// <string.h>.
#pragma once
#include <stddef.h>

inline void* memcpy(void* to, const void* from, size_t bytes) {
    __host_memmove(to, from, bytes);
    return to;
}
inline void* memmove(void* to, const void* from, size_t bytes) {
    __host_memmove(to, from, bytes);
    return to;
}
inline void* memset(void* to, int value, size_t bytes) {
    __host_memset(to, value, bytes);
    return to;
}
inline void bzero(void* to, size_t bytes) { __host_memset(to, 0, bytes); }
inline void bcopy(const void* from, void* to, size_t bytes) { __host_memmove(to, from, bytes); }
inline int memcmp(const void* a, const void* b, size_t bytes) { return __host_memcmp(a, b, bytes); }
inline void* memchr(const void* in, int value, size_t bytes) {
    const unsigned char* p = (const unsigned char*)in;
    for (size_t i = 0; i < bytes; ++i)
        if (p[i] == (unsigned char)value) return (void*)(p + i);
    return nullptr;
}
inline size_t strlen(const char* text) { return __host_strlen(text); }
inline size_t strnlen(const char* text, size_t most) {
    size_t n = 0;
    while (n < most && text[n]) ++n;
    return n;
}
inline int strcmp(const char* a, const char* b) { return __host_strcmp(a, b); }
inline int strncmp(const char* a, const char* b, size_t most) {
    for (size_t i = 0; i < most; ++i) {
        int d = (int)(unsigned char)a[i] - (int)(unsigned char)b[i];
        if (d != 0 || a[i] == 0) return d;
    }
    return 0;
}
inline int __lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
inline int strncasecmp(const char* a, const char* b, size_t most) {
    for (size_t i = 0; i < most; ++i) {
        int d = __lower((unsigned char)a[i]) - __lower((unsigned char)b[i]);
        if (d != 0 || a[i] == 0) return d;
    }
    return 0;
}
inline int strcasecmp(const char* a, const char* b) { return strncasecmp(a, b, ~(size_t)0); }
inline int ffs(int value) {
    for (int i = 0; i < 32; ++i)
        if (value >> i & 1) return i + 1;
    return 0;
}
inline char* strcpy(char* to, const char* from) {
    __host_memmove(to, from, __host_strlen(from) + 1);
    return to;
}
inline char* strncpy(char* to, const char* from, size_t most) {
    size_t i = 0;
    for (; i < most && from[i]; ++i) to[i] = from[i];
    for (; i < most; ++i) to[i] = 0;
    return to;
}
inline char* strcat(char* to, const char* from) {
    strcpy(to + __host_strlen(to), from);
    return to;
}
inline char* strncat(char* to, const char* from, size_t most) {
    char* end = to + __host_strlen(to);
    size_t n = strnlen(from, most);
    __host_memmove(end, from, n);
    end[n] = 0;
    return to;
}
inline char* strchr(const char* in, int c) {
    for (;; ++in) {
        if (*in == (char)c) return (char*)in;
        if (*in == 0) return nullptr;
    }
}
inline char* strrchr(const char* in, int c) {
    char* found = nullptr;
    for (;; ++in) {
        if (*in == (char)c) found = (char*)in;
        if (*in == 0) return found;
    }
}
inline char* index(const char* in, int c) { return strchr(in, c); }
inline char* rindex(const char* in, int c) { return strrchr(in, c); }
inline char* strstr(const char* in, const char* what) {
    size_t n = __host_strlen(what);
    for (;; ++in) {
        if (strncmp(in, what, n) == 0) return (char*)in;
        if (*in == 0) return nullptr;
    }
}
inline size_t strspn(const char* in, const char* of) {
    size_t n = 0;
    while (in[n] && strchr(of, in[n])) ++n;
    return n;
}
inline size_t strcspn(const char* in, const char* of) {
    size_t n = 0;
    while (in[n] && !strchr(of, in[n])) ++n;
    return n;
}
inline char* strtok_r(char* in, const char* between, char** rest) {
    char* p = in ? in : *rest;
    if (!p) return nullptr;
    p += strspn(p, between);
    if (*p == 0) {
        *rest = nullptr;
        return nullptr;
    }
    char* end = p + strcspn(p, between);
    *rest = *end ? end + 1 : nullptr;
    *end = 0;
    return p;
}
static char* __strtok_rest = nullptr;
inline char* strtok(char* in, const char* between) { return strtok_r(in, between, &__strtok_rest); }
inline char* strdup(const char* text) {
    size_t n = __host_strlen(text) + 1;
    char* copy = (char*)__host_malloc(n);
    __host_memmove(copy, text, n);
    return copy;
}
inline char* strerror(int code) { return (char*)__error_text(code); }
inline char* strpbrk(const char* in, const char* of) {
    in += strcspn(in, of);
    return *in ? (char*)in : nullptr;
}
inline char* strndup(const char* text, size_t most) {
    size_t n = strnlen(text, most);
    char* copy = (char*)__host_malloc(n + 1);
    __host_memmove(copy, text, n);
    copy[n] = 0;
    return copy;
}
