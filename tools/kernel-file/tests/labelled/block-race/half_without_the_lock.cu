//@ scratch sum: int[1] = zero
//@ scratch lock: int[1] = zero
//@ launch half_without_the_lock(sum, lock) grid = 8, block = 32
//@ page 1
//@ catch race

__global__ void half_without_the_lock(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    bool locked = blockIdx.x % 2 == 0;
    if (locked) while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    sum[0] += blockIdx.x; //~ race
    __threadfence();
    if (locked) atomicExch(lock, 0);
}
