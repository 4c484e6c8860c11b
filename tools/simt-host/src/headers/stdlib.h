// <stdlib.h>.
#pragma once
#include <stddef.h>

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

inline void* malloc(size_t bytes) { return __host_malloc(bytes); }
inline void free(void* p) { __host_free(p); }
inline void* calloc(size_t count, size_t size) {
    return size && count > (size_t)-1 / size ? nullptr : __host_malloc(count * size);
}
// Its memory is never freed, which a program cannot observe.
inline void* alloca(size_t bytes) { return __host_malloc(bytes); }
inline void* realloc(void* p, size_t bytes) { return __host_realloc(p, bytes); }
inline void* aligned_alloc(size_t alignment, size_t bytes) { return __host_malloc(bytes); }
inline void* memalign(size_t alignment, size_t bytes) { return __host_malloc(bytes); }
inline void* valloc(size_t bytes) { return __host_malloc(bytes); }
inline int posix_memalign(void** p, size_t alignment, size_t bytes) {
    *p = __host_malloc(bytes);
    return 0;
}
inline void exit(int code) { __host_exit(code); __builtin_unreachable(); }
inline int atexit(void (*f)()) { return __host_at_exit((void*)f); }
inline void _exit(int code) { __host_exit(code); __builtin_unreachable(); }
inline void abort() { __host_abort(); __builtin_unreachable(); }

inline int atoi(const char* text) { return (int)__host_strtol(text, nullptr, 10); }
inline long atol(const char* text) { return __host_strtol(text, nullptr, 10); }
inline long long atoll(const char* text) { return __host_strtol(text, nullptr, 10); }
inline double atof(const char* text) { return __host_strtod(text, nullptr); }
inline double strtod(const char* text, char** end) { return __host_strtod(text, end); }
inline float strtof(const char* text, char** end) { return (float)__host_strtod(text, end); }
inline long strtol(const char* text, char** end, int base) { return __host_strtol(text, end, base); }
inline long long strtoll(const char* text, char** end, int base) { return __host_strtol(text, end, base); }
inline unsigned long strtoul(const char* text, char** end, int base) { return __host_strtoul(text, end, base); }
inline unsigned long long strtoull(const char* text, char** end, int base) { return __host_strtoul(text, end, base); }

inline int rand() { return __host_rand(); }
inline void srand(unsigned int seed) { __host_srand(seed); }
inline long random() { return __host_rand(); }
inline void srandom(unsigned int seed) { __host_srand(seed); }
inline int rand_r(unsigned int* seed) {
    unsigned int next = *seed * 1103515245u + 12345u;
    unsigned int result = (next / 65536u) % 2048u;
    next = next * 1103515245u + 12345u;
    result = (result << 10) ^ ((next / 65536u) % 1024u);
    next = next * 1103515245u + 12345u;
    result = (result << 10) ^ ((next / 65536u) % 1024u);
    *seed = next;
    return (int)result;
}

// The 48-bit state, as `srand48` sets it.
static unsigned short __rand48[3] = {0x330e, 0, 0};
inline void srand48(long seed) {
    __rand48[0] = 0x330e;
    __rand48[1] = (unsigned short)seed;
    __rand48[2] = (unsigned short)(seed >> 16);
}
inline unsigned long long __next48(unsigned short* x) {
    unsigned long long n = (x[0] | (unsigned long long)x[1] << 16 | (unsigned long long)x[2] << 32) * 0x5deece66dULL + 11ULL;
    for (int i = 0; i < 3; i++) x[i] = (unsigned short)(n >> 16 * i);
    return n & 0xffffffffffffULL;
}
inline double erand48(unsigned short x[3]) { return (double)__next48(x) / 281474976710656.0; }
inline long nrand48(unsigned short x[3]) { return (long)(__next48(x) >> 17); }
inline long jrand48(unsigned short x[3]) { return (long)(int)(__next48(x) >> 16); }
inline double drand48() { return erand48(__rand48); }
inline long lrand48() { return nrand48(__rand48); }
inline long mrand48() { return jrand48(__rand48); }

// The environment is empty, but for what the program sets.
struct __variable {
    char name[64];
    char value[448];
    __variable* next;
};
static __variable* __environment = nullptr;
inline __variable* __variable_of(const char* name) {
    for (__variable* v = __environment; v; v = v->next)
        if (__host_strcmp(v->name, name) == 0) return v;
    return nullptr;
}
inline char* getenv(const char* name) {
    __variable* v = __variable_of(name);
    return v ? v->value : nullptr;
}
inline int setenv(const char* name, const char* value, int over) {
    __variable* v = __variable_of(name);
    if (v && !over) return 0;
    if (__host_strlen(name) >= 64 || __host_strlen(value) >= 448) return -1;
    if (!v) {
        v = (__variable*)__host_malloc(sizeof(__variable));
        v->next = __environment;
        __environment = v;
        __host_snprintf(v->name, 64, "%s", name);
    }
    __host_snprintf(v->value, 448, "%s", value);
    return 0;
}
inline int system(const char* command) { return -1; }

struct div_t {
    int quot, rem;
};
struct ldiv_t {
    long quot, rem;
};
inline div_t div(int a, int b) {
    div_t r = {a / b, a % b};
    return r;
}

struct lldiv_t {
    long long quot, rem;
};
inline ldiv_t ldiv(long a, long b) {
    ldiv_t r = {a / b, a % b};
    return r;
}
inline lldiv_t lldiv(long long a, long long b) {
    lldiv_t r = {a / b, a % b};
    return r;
}
inline ldiv_t div(long a, long b) { return ldiv(a, b); }
inline lldiv_t div(long long a, long long b) { return lldiv(a, b); }

// Merge sort: stable, as in glibc.
inline void __merge_sort(char* base, char* room, size_t count, size_t size, int (*compare)(const void*, const void*)) {
    if (count < 2) return;
    size_t half = count / 2;
    __merge_sort(base, room, half, size, compare);
    __merge_sort(base + half * size, room, count - half, size, compare);
    size_t a = 0, b = half, to = 0;
    while (a < half && b < count) {
        bool left = compare(base + a * size, base + b * size) <= 0;
        size_t from = left ? a++ : b++;
        __host_memmove(room + to * size, base + from * size, size);
        to++;
    }
    if (a < half) __host_memmove(room + to * size, base + a * size, (half - a) * size);
    __host_memmove(base, room, b * size);
}
inline void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
    char* room = (char*)__host_malloc(count * size + 1);
    __merge_sort((char*)base, room, count, size, compare);
    __host_free(room);
}
inline void* bsearch(const void* key, const void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char* at = (const char*)base + middle * size;
        int order = compare(key, at);
        if (order == 0) return (void*)at;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return nullptr;
}

namespace std {
inline long labs(long a) { return a < 0 ? -a : a; }
inline long long llabs(long long a) { return a < 0 ? -a : a; }
using ::div_t;
using ::ldiv_t;
using ::lldiv_t;
using ::ldiv;
using ::lldiv;
}
