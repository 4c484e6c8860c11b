#include <cuda.h>
#include <cstdio>

int main() {
    cuInit(0);
    CUdeviceptr memory;
    printf("%d\n", cuMemAlloc(&memory, 100));
}
