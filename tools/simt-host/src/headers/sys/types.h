// <sys/types.h>.
#pragma once
#include <stddef.h>
#include <unistd.h>
#include <stdlib.h>
typedef long off_t;
