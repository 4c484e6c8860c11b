// <stdarg.h>: variadic arguments, which the compiler stores in eight bytes each.
#pragma once

typedef unsigned long long* va_list;
#define va_start(list, last) ((list) = __va_here)
#define va_arg(list, type) (*(type*)((list)++))
#define va_copy(to, from) ((to) = (from))
#define va_end(list) ((void)0)
