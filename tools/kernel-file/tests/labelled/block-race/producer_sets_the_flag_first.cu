//@ scratch data: int[1] = poison
//@ scratch ready: int[1] = zero
//@ scratch out: int[1] = poison
//@ launch producer_sets_the_flag_first(data, ready, out) grid = 2, block = 32
//@ page 1
//@ catch race

__global__ void producer_sets_the_flag_first(int* data, volatile int* ready, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *ready = 1;
        __threadfence();
        *data = 42;
    } else {
        while (*ready == 0) {}
        __threadfence();
        *out = *data; //~ race
    }
}
