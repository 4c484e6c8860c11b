//@ scratch sum: int[1] = zero
//@ scratch lock: int[1] = zero
//@ launch unlocked_before_the_end(sum, lock) grid = 1, block = 128
//@ page 1
//@ catch race

__global__ void unlocked_before_the_end(int* sum, int* lock) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            int v = sum[0]; //~ race
            __threadfence();
            atomicExch(lock, 0);
            sum[0] = v + 1;
            done = true;
        }
    }
}
