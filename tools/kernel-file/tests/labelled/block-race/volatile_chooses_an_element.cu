//! What is read is an index into what was published before it: the value leads to the data.
//@ scratch at: int[1] = zero
//@ scratch data: int[8] = zero
//@ scratch out: int[1] = zero
//@ launch volatile_chooses_an_element(at, data, out) grid = 2, block = 32
//@ page 1

__global__ void volatile_chooses_an_element(volatile int* at, int* data, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        data[5] = 7;
        __threadfence();
        *at = 5;
    } else {
        int i = *at;
        if (i == 5) out[0] = data[i];
    }
}
