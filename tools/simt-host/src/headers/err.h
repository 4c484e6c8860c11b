// <err.h>: messages with the text of `errno`, or without it (`x`).
#pragma once
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

inline void __error_ends(bool code, int number) { code ? fprintf(stderr, ": %s\n", strerror(number)) : fprintf(stderr, "\n"); }
template <typename... A> inline void __error_message(bool code, const char* format, A... args) {
    int number = errno;
    fprintf(stderr, "program: ");
    fprintf(stderr, format, args...);
    __error_ends(code, number);
}
#define warn(...) __error_message(true, __VA_ARGS__)
#define warnx(...) __error_message(false, __VA_ARGS__)
#define err(status, ...) (__error_message(true, __VA_ARGS__), exit(status))
#define errx(status, ...) (__error_message(false, __VA_ARGS__), exit(status))
