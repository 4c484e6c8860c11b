// <sys/sysinfo.h>: one processor and 16 GiB of memory, as `sysconf` says.
#pragma once
#include <string.h>
#include <time.h>

struct sysinfo {
    long uptime;
    unsigned long loads[3];
    unsigned long totalram;
    unsigned long freeram;
    unsigned long sharedram;
    unsigned long bufferram;
    unsigned long totalswap;
    unsigned long freeswap;
    unsigned short procs;
    unsigned short pad;
    unsigned long totalhigh;
    unsigned long freehigh;
    unsigned int mem_unit;
};
inline int __sysinfo(struct sysinfo* into) {
    memset(into, 0, sizeof *into);
    into->uptime = clock() / CLOCKS_PER_SEC;
    into->totalram = into->freeram = 17179869184ul;
    into->procs = into->mem_unit = 1;
    return 0;
}
// The type has the name, too.
#define sysinfo(into) __sysinfo(into)
inline int get_nprocs() { return 1; }
inline int get_nprocs_conf() { return 1; }
inline long get_phys_pages() { return 4194304; }
inline long get_avphys_pages() { return 4194304; }
