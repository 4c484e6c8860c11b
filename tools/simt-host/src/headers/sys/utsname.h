// <sys/utsname.h>: names of a fictitious system.
#pragma once
#include <string.h>

struct utsname {
    char sysname[65], nodename[65], release[65], version[65], machine[65];
};
inline int uname(struct utsname* to) {
    strcpy(to->sysname, "Linux");
    strcpy(to->nodename, "localhost");
    strcpy(to->release, "0");
    strcpy(to->version, "0");
    strcpy(to->machine, "x86_64");
    return 0;
}
