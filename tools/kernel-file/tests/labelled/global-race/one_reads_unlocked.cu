//! All write under the lock; one reads without it.
//@ scratch sum: int[2] = zero
//@ scratch lock: int[1] = zero
//@ scratch out: int[1] = poison
//@ launch one_reads_unlocked(sum, lock, out) grid = 1, block = 128
//@ page 1
//@ catch race

__global__ void one_reads_unlocked(int* sum, int* lock, int* out) {
    bool done = false;
    if (threadIdx.x == 127) *out = sum[0]; //~ race
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            sum[0] += threadIdx.x;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
