#include <cuda.h>
#include <cstdio>

int main() {
    cuInit(0);
    CUlinkState linker;
    printf("%d\n", cuLinkCreate(0, nullptr, nullptr, &linker));
}
