// <stdio.h>: a FILE is a number; `__host_*printf` format, knowing each argument's type.
#pragma once
#include <stdarg.h>
#include <__error_text>
#include <stddef.h>

typedef long ssize_t;

struct FILE {
    int __number;
};
static FILE __stdin_file = {0};
static FILE __stdout_file = {1};
static FILE __stderr_file = {2};
#define stdin (&__stdin_file)
#define stdout (&__stdout_file)
#define stderr (&__stderr_file)
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define BUFSIZ 8192
#define FILENAME_MAX 4096

#define fprintf(file, ...) __host_fprintf((file)->__number, __VA_ARGS__)
#define sprintf(to, ...) __host_snprintf(to, ~(size_t)0, __VA_ARGS__)
#define snprintf(to, ...) __host_snprintf(to, __VA_ARGS__)
#define sscanf(text, ...) __host_sscanf(text, __VA_ARGS__)
#define fscanf(file, ...) __host_fscanf((file)->__number, __VA_ARGS__)
#define scanf(...) __host_fscanf(0, __VA_ARGS__)

inline FILE* fopen(const char* path, const char* mode) {
    int number = __host_fopen(path, mode);
    if (number < 0) return nullptr;
    FILE* file = (FILE*)__host_malloc(sizeof(FILE));
    file->__number = number;
    return file;
}
inline int fclose(FILE* file) {
    int result = __host_fclose(file->__number);
    if (file->__number > 2) __host_free(file);
    return result;
}
inline size_t fread(void* to, size_t size, size_t count, FILE* file) {
    return size * count == 0 ? 0 : __host_fread(to, size * count, file->__number) / size;
}
inline size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
    return size * count == 0 ? 0 : __host_fwrite(from, size * count, file->__number) / size;
}
inline int fgetc(FILE* file) { return __host_fgetc(file->__number); }
inline int getc(FILE* file) { return __host_fgetc(file->__number); }
inline int getchar() { return __host_fgetc(0); }
inline int ungetc(int c, FILE* file) { return __host_ungetc(c, file->__number); }
inline char* fgets(char* to, int room, FILE* file) {
    int at = 0;
    while (at + 1 < room) {
        int c = __host_fgetc(file->__number);
        if (c < 0) break;
        to[at++] = (char)c;
        if (c == '\n') break;
    }
    if (at == 0) return nullptr;
    to[at] = 0;
    return to;
}
inline long getdelim(char** line, size_t* room, int end, FILE* file) {
    long n = 0;
    for (;;) {
        int c = __host_fgetc(file->__number);
        if (c < 0) break;
        if (!*line || *room < (size_t)n + 2) {
            *room = *line && *room ? *room * 2 : 120;
            *line = (char*)__host_realloc(*line, *room);
        }
        (*line)[n++] = (char)c;
        if (c == end) break;
    }
    if (n == 0) return -1;
    (*line)[n] = 0;
    return n;
}
inline long getline(char** line, size_t* room, FILE* file) { return getdelim(line, room, '\n', file); }
inline int fputc(int c, FILE* file) {
    char byte = (char)c;
    __host_fwrite(&byte, 1, file->__number);
    return (unsigned char)c;
}
inline int putc(int c, FILE* file) { return fputc(c, file); }
inline int putchar(int c) { return fputc(c, stdout); }
inline int fputs(const char* text, FILE* file) {
    __host_fwrite(text, __host_strlen(text), file->__number);
    return 1;
}
inline int puts(const char* text) {
    fputs(text, stdout);
    return fputc('\n', stdout);
}
inline int fflush(FILE* file) { return __host_fflush(file ? file->__number : 1); }
inline int feof(FILE* file) { return __host_feof(file->__number); }
inline int ferror(FILE* file) { return 0; }
inline int fseek(FILE* file, long by, int from) { return __host_fseek(file->__number, by, from); }
inline long ftell(FILE* file) { return __host_ftell(file->__number); }
inline int fseeko(FILE* file, long by, int from) { return fseek(file, by, from); }
inline long ftello(FILE* file) { return ftell(file); }
inline void rewind(FILE* file) { __host_fseek(file->__number, 0, SEEK_SET); }
typedef long fpos_t;
inline int fgetpos(FILE* file, fpos_t* at) {
    *at = ftell(file);
    return *at < 0 ? -1 : 0;
}
inline int fsetpos(FILE* file, const fpos_t* at) { return fseek(file, *at, SEEK_SET); }
inline int fileno(FILE* file) { return file->__number; }
inline void clearerr(FILE* file) { fseek(file, 0, SEEK_CUR); }
inline void perror(const char* text) {
    const char* why = __error_text(*(int*)__errno_location());
    text && *text ? __host_fprintf(2, "%s: %s\n", text, why) : __host_fprintf(2, "%s\n", why);
}
inline int remove(const char* path) { return __host_file_change(1, path, path); }
inline int rename(const char* from, const char* to) { return __host_file_change(2, from, to); }
inline int setvbuf(FILE* file, char* room, int mode, size_t size) { return 0; }
inline void setbuf(FILE* file, char* room) {}
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
inline int vfprintf(FILE* file, const char* format, va_list list) { return __host_vfprintf(file->__number, format, list); }
inline int vprintf(const char* format, va_list list) { return __host_vfprintf(1, format, list); }
inline int vsnprintf(char* to, size_t room, const char* format, va_list list) { return __host_vsnprintf(to, room, format, list); }
inline int vsprintf(char* to, const char* format, va_list list) { return __host_vsnprintf(to, ~(size_t)0, format, list); }

namespace std {
using ::FILE;
using ::fpos_t;
}
