//! What was read is used even where the swap found something else.
//@ scratch out: int[1] = zero
//@ scratch b: int[n] = poison
//@ launch swapped_and_used(out, b) grid = n / 64, block = 64
//@ page 128
//@ catch race

__global__ void swapped_and_used(int* out, int* b) {
    int old = out[0]; //~ race
    atomicCAS(out, old, old + 1);
    b[blockIdx.x * 64 + threadIdx.x] = old;
}
