//@ scratch data: int[1] = poison
//@ scratch ready: int[1] = zero
//@ scratch out: int[1] = poison
//@ launch plain_flag(data, ready, out) grid = 2, block = 32
//@ page 1
//@ catch race

__global__ void plain_flag(int* data, int* ready, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *ready = 1;
    } else if (*ready != 0) { //~ race
        __threadfence();
        *out = *data;
    }
}
