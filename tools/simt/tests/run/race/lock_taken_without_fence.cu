// launch: locked <<<2, 1>>> 2
// What is read may be older than the lock.
__global__ void locked(int* data) {
  int* lock = data;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  data[1] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
