//! The swap is at another address.
//@ scratch out: int[2] = zero
//@ launch swapped_elsewhere(out) grid = n / 64, block = 64
//@ page 128
//@ catch race

__global__ void swapped_elsewhere(int* out) {
    int old = out[0]; //~ race
    while (atomicCAS(out + 1, old, old + 1) != old) old++;
    atomicAdd(out, 1);
}
