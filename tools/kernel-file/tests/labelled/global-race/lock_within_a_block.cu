//@ scratch sum: int[2] = zero
//@ scratch lock: int[1] = zero
//@ launch lock_within_a_block(sum, lock) grid = 1, block = 128
//@ page 1

__global__ void lock_within_a_block(int* sum, int* lock) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            sum[0] += threadIdx.x;
            sum[1]++;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
