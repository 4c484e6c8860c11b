//! Each thread owns four elements; with one more, the first of the next thread's as well.
//@ input data: int[n] = iota
//@ launch off_by_one_owner(data, n) grid = 1, block = 64
//@ page 256
//@ catch race

#include "twins.cuh"
__global__ void off_by_one_owner(int* data, int n) {
    int first = threadIdx.x * 4;
    int last = first + 3;
    for (int i = first; i EITHER((<= last), (<= last + 1)) && i < n; i++) data[i] = first; //~ race
}
