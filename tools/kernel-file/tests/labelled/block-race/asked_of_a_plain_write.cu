//! Only a volatile write answers.
//@ scratch stop: int[1] = zero
//@ launch asked_of_a_plain_write(stop, n) grid = 2, block = 1
//@ page 4
//@ catch race

__global__ void asked_of_a_plain_write(int* stop, int n) {
    if (blockIdx.x == 0) stop[0] = 1;
    else for (int i = 0; i < n; i++) if (*(volatile int*)stop) break; //~ race
}
