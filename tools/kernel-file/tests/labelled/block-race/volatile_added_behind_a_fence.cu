//! Each block fences, reads, adds and writes. The fence orders nothing that anybody waits for.
//@ scratch v: int[1] = zero
//@ launch volatile_added_behind_a_fence(v) grid = 3, block = 32
//@ page 1
//@ catch race

__global__ void volatile_added_behind_a_fence(volatile int* v) {
    if (threadIdx.x != 0) return;
    __threadfence();
    *v = *v + 1; //~ race
}
