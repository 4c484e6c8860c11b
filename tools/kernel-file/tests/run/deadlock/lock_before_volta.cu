//@ input data: int[n] = iota
//@ launch locked(data) grid = 1, block = 32
//@ page 2

__global__ void locked(int* data) {
  int* lock = data;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  data[1] += 1;
  atomicExch(lock, 0);
}
