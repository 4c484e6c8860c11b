//! What is read may be older than the lock.
//@ input data: int[n] = iota
//@ launch locked(data) grid = 2, block = 1
//@ page 2

__global__ void locked(int* data) {
  int* lock = data;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  data[1] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
