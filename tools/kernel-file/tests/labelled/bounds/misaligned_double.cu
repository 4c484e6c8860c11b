//@ input bytes: char[8 * n + 8] = iota
//@ scratch out: double[n] = poison
//@ launch misaligned_double(bytes, out) grid = 1, block = n
//@ page 32
//@ catch bounds

#include "twins.cuh"
__global__ void misaligned_double(const char* bytes, double* out) {
    out[threadIdx.x] = *(const double*)(bytes + 8 * threadIdx.x + EITHER((8), (4))); //~ bounds
}
