#include <cuda.h>
#include <cstdio>

int main() {
    cuInit(0);
    CUtexref texture;
    printf("%d\n", cuTexRefCreate(&texture));
}
