//! Three bytes of four are written, and the word is read.
//@ scratch bytes: char[4 * n] = poison
//@ scratch out: int[n] = poison
//@ launch some_bytes(bytes, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
__global__ void some_bytes(char* bytes, int* out) {
    int t = threadIdx.x;
    for (int k = 0; k < EITHER((4), (3)); k++) bytes[4 * t + k] = (char)k;
    out[t] = ((int*)bytes)[t]; //~ uninitialised
}
