//! A lock that is handed on by numbers: who writes the next one has read the last.
//@ scratch sum: int[1] = zero
//@ scratch next: int[1] = zero
//@ scratch served: int[1] = zero
//@ launch tickets(sum, next, served) grid = 8, block = 1
//@ page 1

__global__ void tickets(int* sum, int* next, volatile int* served) {
    int mine = atomicAdd(next, 1);
    while (*served != mine) {}
    __threadfence();
    sum[0] += mine;
    __threadfence();
    *served = mine + 1;
}
