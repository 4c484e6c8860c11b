// <sys/wait.h>: a program is one process.
#pragma once
#include <unistd.h>

#define WNOHANG 1
#define WEXITSTATUS(status) ((status) >> 8 & 255)
#define WTERMSIG(status) ((status) & 127)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0)
inline pid_t waitpid(pid_t process, int* status, int options) {
    __host_refuse("`waitpid`: a program is one process");
    return -1;
}
inline pid_t wait(int* status) {
    __host_refuse("`wait`: a program is one process");
    return -1;
}
