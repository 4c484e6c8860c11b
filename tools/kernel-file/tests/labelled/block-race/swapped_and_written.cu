//! Against a plain write a confirmed read is a read.
//@ scratch out: int[1] = zero
//@ launch swapped_and_written(out) grid = n / 64, block = 64
//@ page 128
//@ catch race

__global__ void swapped_and_written(int* out) {
    int old = out[0], assumed; //~ race
    do {
        assumed = old;
        old = atomicCAS(out, assumed, assumed + 1);
    } while (assumed != old);
    if (threadIdx.x == 5) out[0] = 7;
}
