//! The value itself is waited for: each block adds when its predecessor has.
//@ scratch v: int[1] = zero
//@ scratch data: int[8] = zero
//@ launch volatile_value_awaited(v, data) grid = 4, block = 32
//@ page 1

__global__ void volatile_value_awaited(volatile int* v, int* data) {
    if (threadIdx.x != 0) return;
    while (*v != blockIdx.x) {}
    __threadfence();
    data[0] += 3;
    __threadfence();
    *v = *v + 1;
}
