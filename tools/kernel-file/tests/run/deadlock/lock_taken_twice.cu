//! Whoever holds the lock asks for it again.
//@ input data: int[n] = iota
//@ input lock: int[n] = iota
//@ launch twice(data, lock) grid = 1, block = 32
//@ page 4

__global__ void twice(int* data, int* lock) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        data[0]++;
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        data[0]++;
        atomicExch(lock, 0);
        atomicExch(lock, 0);
    }
}
