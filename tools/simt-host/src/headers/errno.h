// <errno.h>: nothing here sets it.
#pragma once
static int errno = 0;
#define ENOENT 2
#define ENOMEM 12
#define EINVAL 22
#define ERANGE 34
