// <sys/types.h>.
#pragma once
#include <stddef.h>
#include <unistd.h>
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long off_t;
