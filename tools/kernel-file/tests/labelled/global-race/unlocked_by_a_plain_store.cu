//@ scratch sum: int[1] = zero
//@ scratch lock: int[1] = zero
//@ launch unlocked_by_a_plain_store(sum, lock) grid = 1, block = 128
//@ page 1
//@ catch race

__global__ void unlocked_by_a_plain_store(int* sum, int* lock) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) { //~ race
            __threadfence();
            sum[0]++;
            __threadfence();
            *lock = 0;
            done = true;
        }
    }
}
