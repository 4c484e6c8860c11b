// <signal.h>: nothing sends a signal to the program but itself, with `raise`.
#pragma once
#include <stdlib.h>

typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIG_ERR ((__sighandler_t)-1)
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SIGSTKSZ 8192
#define MINSIGSTKSZ 2048
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

struct sigset_t {
    unsigned long __bits;
};
struct siginfo_t {
    int si_signo, si_errno, si_code;
    void* si_addr;
};
struct stack_t {
    void* ss_sp;
    int ss_flags;
    size_t ss_size;
};
struct sigaction {
    union {
        __sighandler_t sa_handler;
        void (*sa_sigaction)(int, siginfo_t*, void*);
    };
    sigset_t sa_mask;
    int sa_flags;
    void (*sa_restorer)();
};
static __sighandler_t __signal_handlers[65];

inline __sighandler_t signal(int number, __sighandler_t handler) {
    if (number < 1 || number > 64) return SIG_ERR;
    __sighandler_t old = __signal_handlers[number];
    __signal_handlers[number] = handler;
    return old;
}
inline int raise(int number) {
    __sighandler_t handler = number < 1 || number > 64 ? SIG_IGN : __signal_handlers[number];
    if (handler == SIG_IGN || (handler == SIG_DFL && (number == SIGCHLD || number == SIGCONT))) return 0;
    if (handler == SIG_DFL) {
        if (number == SIGABRT) abort();
        __host_exit(128 + number);
    }
    handler(number);
    return 0;
}
inline int __sigaction(int number, const struct sigaction* now, struct sigaction* old) {
    if (number < 1 || number > 64) return -1;
    __sighandler_t before = now ? signal(number, now->sa_handler) : __signal_handlers[number];
    if (old) old->sa_handler = before;
    return 0;
}
#define sigaction(number, now, old) __sigaction(number, now, old)
inline int sigemptyset(sigset_t* set) { return (int)(set->__bits = 0); }
inline int sigfillset(sigset_t* set) {
    set->__bits = ~0ul;
    return 0;
}
inline int sigaddset(sigset_t* set, int number) {
    set->__bits |= 1ul << (number - 1);
    return 0;
}
inline int sigprocmask(int how, const sigset_t* now, sigset_t* old) { return 0; }
inline int sigaltstack(const stack_t* now, stack_t* old) { return 0; }

namespace std {
using ::raise;
using ::sig_atomic_t;
using ::signal;
}
