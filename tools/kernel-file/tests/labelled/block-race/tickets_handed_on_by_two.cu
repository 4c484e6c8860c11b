//! Who writes the number has not read that it is his turn.
//@ scratch next: int[1] = zero
//@ scratch served: int[1] = zero
//@ launch tickets_handed_on_by_two(next, served) grid = 8, block = 1
//@ page 1
//@ catch race

__global__ void tickets_handed_on_by_two(int* next, volatile int* served) {
    int mine = atomicAdd(next, 1);
    __threadfence();
    *served = mine + 1; //~ race
}
