// <unistd.h>. A pause returns at once, since it changes no result.
#pragma once
#include <getopt.h>
#include <stddef.h>

typedef long ssize_t;
typedef int pid_t;
inline int usleep(unsigned int microseconds) { return 0; }
inline unsigned int sleep(unsigned int seconds) { return 0; }
inline pid_t getpid() { return 1; }
inline int isatty(int file) { return 0; }
