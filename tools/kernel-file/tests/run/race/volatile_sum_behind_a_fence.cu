//@ scratch v: int[1] = zero
//@ launch sum(v) grid = 3, block = 32
//@ page 1

__global__ void sum(volatile int* v) {
    if (threadIdx.x != 0) return;
    __threadfence();
    *v = *v + 1;
}
