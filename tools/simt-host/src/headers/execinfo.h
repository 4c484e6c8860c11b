// <execinfo.h>: no frames are known.
#pragma once
#include <stdlib.h>

inline int backtrace(void** buffer, int size) { return 0; }
inline char** backtrace_symbols(void* const* buffer, int size) { return (char**)malloc(sizeof(char*)); }
inline void backtrace_symbols_fd(void* const* buffer, int size, int fd) {}
