// launch: twice <<<1, 32>>> 4
// Whoever holds the lock asks for it again.
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
