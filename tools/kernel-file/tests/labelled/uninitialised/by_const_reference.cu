//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch by_const_reference(in, out) grid = 1, block = n
//@ page 32
//@ catch uninitialised

#include "twins.cuh"
__device__ int larger(const int& a, const int& b) { return a < b ? b : a; } //~ uninitialised
__global__ void by_const_reference(const int* in, int* out) {
    int floor EITHER((= 3), ());
    out[threadIdx.x] = larger(in[threadIdx.x], floor);
}
