//! A fence, a flag, an acquiring read: but of another flag.
//@ scratch data: int[1] = poison
//@ scratch ready: int[2] = zero
//@ scratch out: int[1] = poison
//@ launch another_flag(data, ready, out) grid = 2, block = 32
//@ page 1
//@ catch race

__global__ void another_flag(int* data, volatile int* ready, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        ready[0] = 1;
    } else {
        int other = ready[1];
        __threadfence();
        *out = *data + other; //~ race
    }
}
